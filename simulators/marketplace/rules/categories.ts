/** A category; a leaf has no `below`. */
export interface Category {
  readonly id: number;
  readonly name: string;
  readonly below?: readonly Category[];
}

export interface AttributeDefinition {
  readonly id: number;
  readonly name: string;
  readonly isRequired: boolean;
  readonly terms: readonly string[];
}

const leaf = (id: number, name: string): Category => ({ id, name });
const range = (first: number, last: number, name: string): Category[] =>
  Array.from({ length: last - first + 1 }, (_, index) => leaf(first + index, `${name} ${index + 1}`));

/** A small tree; the real one has thousands. The numbers that the specification publishes in are leaves. */
export const categoryTree: readonly Category[] = [
  leaf(516, 'Konst'),
  { id: 11, name: 'Barn & leksaker', below: [leaf(517, 'Barnartiklar'), leaf(533, 'Leksaker & hobby')] },
  { id: 10, name: 'Fordon, båtar & delar', below: [leaf(520, 'Fordon & delar'), ...range(8290, 8300, 'Bildelar')] },
  leaf(521, 'Böcker & tidningar'),
  leaf(523, 'Företag & industri'),
  { id: 12, name: 'Data', below: [leaf(524, 'Datorer & tillbehör')] },
  {
    id: 17,
    name: 'Hemelektronik',
    below: [leaf(525, 'Hemelektronik, övrigt'), leaf(534, 'Ljud & bild'), leaf(2108, 'Mobiltelefoner')],
  },
  leaf(527, 'Sport & fritid'),
  leaf(529, 'Hem & hushåll'),
  leaf(530, 'Kläder & skor'),
  { id: 19, name: 'Smycken, klockor & ädelstenar', below: [leaf(531, 'Klockor'), ...range(8174, 8178, 'Smycken')] },
  leaf(535, 'Musik'),
  leaf(536, 'Samlarsaker'),
  leaf(537, 'Skönhet'),
  leaf(541, 'Verktyg'),
];

function* flatten(categories: readonly Category[]): Generator<Category> {
  for (const category of categories) {
    yield category;
    yield* flatten(category.below ?? []);
  }
}

const byId = new Map([...flatten(categoryTree)].map((category) => [category.id, category]));

export const findCategory = (id: number): Category | undefined => byId.get(id);

const condition = { id: 135, name: 'Skick', terms: ['Oanvänt', 'Mycket gott skick', 'Gott skick', 'Defekt'] };
const maker = { id: 142, name: 'Märke', isRequired: true, terms: ['Apple', 'Samsung', 'Annat'] };

/** One category requires an attribute, so that a caller meets that, too; it is none of the specification's. */
export function attributesOf(category: Category): readonly AttributeDefinition[] {
  if (category.below !== undefined) return [];
  return [{ ...condition, isRequired: false }, ...(category.id === 2108 ? [maker] : [])];
}
