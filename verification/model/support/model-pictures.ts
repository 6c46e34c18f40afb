import { demand, type SeenEvent } from './model-terms.ts';

interface Picture {
  readonly url: string;
  readonly state: 'pending' | 'hosted' | 'failed';
}

/** The pictures of an item as its partner knows them: each list has its outcomes and is announced once. */
export class ModelPictures {
  #list: readonly Picture[];
  #isAnnounced: boolean;
  /** Number of the list; a changed one, or one that is tried again, is the next. */
  set = 1;

  constructor(urls: readonly string[]) {
    this.#list = urls.map((url) => ({ url, state: 'pending' }));
    this.#isAnnounced = urls.length === 0;
  }

  /** Nothing is left to download or to tell. */
  get isDone(): boolean {
    return this.#isAnnounced;
  }

  get haveFailed(): boolean {
    return this.#list.some(({ state }) => state === 'failed');
  }

  get haveAllFailed(): boolean {
    return this.#list.length > 0 && this.#list.every(({ state }) => state === 'failed');
  }

  /** There are some to wait for and none that could be shown. */
  get areUnready(): boolean {
    return this.#list.length > 0 && this.#list.every(({ state }) => state !== 'hosted');
  }

  isSame(urls: readonly string[]): boolean {
    return urls.length === this.#list.length && urls.every((url, n) => url === this.#list[n]?.url);
  }

  /** What was hosted stays so, everything else is tried. */
  replace(urls: readonly string[]): void {
    const hosted = new Set(this.#list.filter(({ state }) => state === 'hosted').map(({ url }) => url));
    this.#list = urls.map((url) => ({ url, state: hosted.has(url) ? 'hosted' : 'pending' }));
    this.#isAnnounced = urls.length === 0;
    this.set += 1;
  }

  tryAgain(): void {
    this.replace(this.#list.map(({ url }) => url));
  }

  note(outcomes: ReadonlyMap<string, 'hosted' | 'failed'>): void {
    this.#list = this.#list.map((picture) =>
      picture.state === 'pending' ? { ...picture, state: outcomes.get(picture.url) ?? 'pending' } : picture,
    );
  }

  /** item.images_ready: says how many are hosted. */
  announce(event: SeenEvent): number {
    const hosted = this.#list.filter(({ state }) => state === 'hosted').length;
    demand(
      this.#list.length > 0 && this.#list.every(({ state }) => state !== 'pending'),
      'images are announced too early',
    );
    demand(event.data['imagesProcessed'] === hosted, 'wrong number of images');
    this.#isAnnounced = true;
    return hosted;
  }
}
