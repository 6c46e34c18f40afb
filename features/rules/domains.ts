// The one table of the 18 domains. Everything that depends on a domain (display, aliases, category mapping, search,
// analytics) reads it from here. Source: specification "Domain system", "Accepted slug aliases", "Category conversion",
// "Domain search fields", "Partner analytics snapshot"; interface-decisions "Orders" for the remaining category names.

import { anyBlankOrDash } from './unseen-text.ts';

export const domainSlugs = [
  'auto_parts',
  'vehicles',
  'electronics',
  'computers',
  'fashion',
  'books',
  'watches',
  'home_garden',
  'art',
  'sports',
  'toys',
  'tools',
  'jewelry',
  'music',
  'collectibles',
  'beauty',
  'industrial',
  'other',
] as const;
export type DomainSlug = (typeof domainSlugs)[number];

/** An extra search input of a domain; a domain without one is searched by the text of title and description only. */
export interface SearchField {
  readonly key: 'plate' | 'oem_number' | 'isbn';
  readonly labelSv: string;
  readonly labelEn: string;
  readonly fieldType: 'text' | 'registration_plate';
  readonly placeholder: string;
}

export interface DomainRow {
  readonly slug: DomainSlug;
  readonly labelEn: string;
  readonly labelSv: string;
  readonly descriptionEn: string;
  /** `rich` domains have typed attributes, `unit` domains only the discriminant. */
  readonly kind: 'rich' | 'unit';
  /** Other accepted inputs, already in the form that {@link resolveSlug} compares. */
  readonly aliases: readonly string[];
  /** Marketplace category ids that mean this domain. */
  readonly inboundCategoryIds: readonly number[];
  /** The marketplace category an item of this domain is published in; null when only the classifier can tell. */
  readonly outboundCategoryId: number | null;
  readonly searchFields: readonly SearchField[];
  /** Name of the category in the partner analytics. */
  readonly analyticsName: string;
}

const wholeRange = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, offset) => first + offset);

export const domainTable: Readonly<Record<DomainSlug, DomainRow>> = {
  auto_parts: {
    slug: 'auto_parts',
    labelEn: 'Auto Parts',
    labelSv: 'Bildelar',
    descriptionEn: 'Parts for cars, motorcycles and other vehicles, with donor vehicle, part number and condition',
    kind: 'rich',
    aliases: ['autoparts', 'car_parts', 'bildelar', 'automotive_part', 'reservdel'],
    inboundCategoryIds: wholeRange(8290, 8300),
    outboundCategoryId: 520,
    searchFields: [
      {
        key: 'oem_number',
        labelSv: 'OEM-nummer',
        labelEn: 'OEM number',
        fieldType: 'text',
        placeholder: '1K0 615 301 AA',
      },
    ],
    analyticsName: 'Reservdel',
  },
  vehicles: {
    slug: 'vehicles',
    labelEn: 'Vehicles',
    labelSv: 'Fordon',
    descriptionEn: 'Whole vehicles, found by registration plate, make and model',
    kind: 'rich',
    aliases: ['fordon'],
    inboundCategoryIds: [520],
    outboundCategoryId: 520,
    searchFields: [
      {
        key: 'plate',
        labelSv: 'Registreringsnummer',
        labelEn: 'Registration plate',
        fieldType: 'registration_plate',
        placeholder: 'MLB 84A',
      },
    ],
    analyticsName: 'Fordon',
  },
  electronics: {
    slug: 'electronics',
    labelEn: 'Electronics',
    labelSv: 'Elektronik',
    descriptionEn: 'Phones, audio, video, cameras and other consumer electronics',
    kind: 'rich',
    aliases: ['elektronik'],
    inboundCategoryIds: [525, 534],
    outboundCategoryId: 525,
    searchFields: [],
    analyticsName: 'Elektronik',
  },
  computers: {
    slug: 'computers',
    labelEn: 'Computers',
    labelSv: 'Datorer',
    descriptionEn: 'Computers, tablets, components and accessories',
    kind: 'rich',
    aliases: ['datorer'],
    inboundCategoryIds: [524],
    outboundCategoryId: 524,
    searchFields: [],
    analyticsName: 'Datorer',
  },
  fashion: {
    slug: 'fashion',
    labelEn: 'Fashion',
    labelSv: 'Mode',
    descriptionEn: 'Clothes, shoes, bags and accessories',
    kind: 'rich',
    aliases: ['mode', 'clothing'],
    inboundCategoryIds: [530],
    outboundCategoryId: 530,
    searchFields: [],
    analyticsName: 'Kläder',
  },
  books: {
    slug: 'books',
    labelEn: 'Books & Media',
    labelSv: 'Böcker & Media',
    descriptionEn: 'Books, magazines, films and recorded music',
    kind: 'rich',
    aliases: ['bocker', 'media'],
    inboundCategoryIds: [521],
    outboundCategoryId: 521,
    searchFields: [
      { key: 'isbn', labelSv: 'ISBN', labelEn: 'ISBN', fieldType: 'text', placeholder: '978-91-1-302848-4' },
    ],
    analyticsName: 'Böcker & Media',
  },
  watches: {
    slug: 'watches',
    labelEn: 'Watches',
    labelSv: 'Klockor',
    descriptionEn: 'Wrist watches, pocket watches and their parts',
    kind: 'rich',
    aliases: ['klockor'],
    inboundCategoryIds: [531],
    outboundCategoryId: 531,
    searchFields: [],
    analyticsName: 'Klockor',
  },
  home_garden: {
    slug: 'home_garden',
    labelEn: 'Home & Garden',
    labelSv: 'Hem & Trädgård',
    descriptionEn: 'Furniture, lighting, household goods and gardening',
    kind: 'unit',
    aliases: ['home', 'hem', 'hem_tradgard'],
    inboundCategoryIds: [529],
    outboundCategoryId: 529,
    searchFields: [],
    analyticsName: 'Hem & Trädgård',
  },
  art: {
    slug: 'art',
    labelEn: 'Art & Antiques',
    labelSv: 'Konst & Antikviteter',
    descriptionEn: 'Paintings, prints, sculpture and antiques',
    kind: 'unit',
    aliases: ['konst'],
    inboundCategoryIds: [516],
    outboundCategoryId: 516,
    searchFields: [],
    analyticsName: 'Konst & Antikviteter',
  },
  sports: {
    slug: 'sports',
    labelEn: 'Sports & Leisure',
    labelSv: 'Sport & Fritid',
    descriptionEn: 'Sports equipment, cycling, fishing and outdoor life',
    kind: 'unit',
    aliases: ['sport'],
    inboundCategoryIds: [527],
    outboundCategoryId: 527,
    searchFields: [],
    analyticsName: 'Sport & Fritid',
  },
  toys: {
    slug: 'toys',
    labelEn: 'Toys & Games',
    labelSv: 'Leksaker & Spel',
    descriptionEn: 'Toys, board games, models and video games',
    kind: 'unit',
    aliases: ['leksaker'],
    inboundCategoryIds: [517, 533],
    outboundCategoryId: 533,
    searchFields: [],
    analyticsName: 'Leksaker & Spel',
  },
  tools: {
    slug: 'tools',
    labelEn: 'Tools & Machinery',
    labelSv: 'Verktyg & Maskiner',
    descriptionEn: 'Hand tools, power tools and machines',
    kind: 'unit',
    aliases: ['verktyg'],
    inboundCategoryIds: [541],
    outboundCategoryId: 541,
    searchFields: [],
    analyticsName: 'Verktyg & Maskiner',
  },
  jewelry: {
    slug: 'jewelry',
    labelEn: 'Jewelry',
    labelSv: 'Smycken',
    descriptionEn: 'Rings, necklaces, bracelets and other jewelry',
    kind: 'unit',
    aliases: ['smycken'],
    inboundCategoryIds: wholeRange(8174, 8178),
    outboundCategoryId: 531,
    searchFields: [],
    analyticsName: 'Smycken',
  },
  music: {
    slug: 'music',
    labelEn: 'Musical Instruments',
    labelSv: 'Musikinstrument',
    descriptionEn: 'Instruments, amplifiers and studio equipment',
    kind: 'unit',
    aliases: ['musikinstrument'],
    inboundCategoryIds: [535],
    outboundCategoryId: 535,
    searchFields: [],
    analyticsName: 'Musikinstrument',
  },
  collectibles: {
    slug: 'collectibles',
    labelEn: 'Collectibles',
    labelSv: 'Samlarföremål',
    descriptionEn: 'Coins, stamps, cards, memorabilia and other things people collect',
    kind: 'unit',
    aliases: ['samlarforemal'],
    inboundCategoryIds: [536],
    outboundCategoryId: 536,
    searchFields: [],
    analyticsName: 'Samlarföremål',
  },
  beauty: {
    slug: 'beauty',
    labelEn: 'Beauty & Health',
    labelSv: 'Skönhet & Hälsa',
    descriptionEn: 'Cosmetics, perfume, personal care and health',
    kind: 'unit',
    aliases: ['skonhet'],
    inboundCategoryIds: [537],
    outboundCategoryId: 537,
    searchFields: [],
    analyticsName: 'Skönhet & Hälsa',
  },
  industrial: {
    slug: 'industrial',
    labelEn: 'Industrial & Commercial',
    labelSv: 'Industri & Kommersiellt',
    descriptionEn: 'Equipment and supplies for industry, shops, restaurants and offices',
    kind: 'unit',
    aliases: ['industri'],
    inboundCategoryIds: [523],
    outboundCategoryId: 523,
    searchFields: [],
    analyticsName: 'Industri & Kommersiellt',
  },
  other: {
    slug: 'other',
    labelEn: 'Other',
    labelSv: 'Övrigt',
    descriptionEn: 'Everything that fits no other domain',
    kind: 'unit',
    aliases: ['ovrigt', ''],
    inboundCategoryIds: [],
    outboundCategoryId: null,
    searchFields: [],
    analyticsName: 'Övrigt',
  },
};

/** All rows in the order of {@link domainSlugs}, the order in which `GET /categories` lists them. */
export const domainRows: readonly DomainRow[] = domainSlugs.map((slug) => domainTable[slug]);

const knownSlugs: ReadonlySet<string> = new Set(domainSlugs);

export const isDomainSlug = (value: unknown): value is DomainSlug => typeof value === 'string' && knownSlugs.has(value);

/** An item without a domain is of the domain `other`. Source: specification "Domain system". */
export const slugOf = (domain: { readonly slug: DomainSlug } | null): DomainSlug => domain?.slug ?? 'other';

// A Map and not an object: inputs such as `__proto__` or `constructor` must find nothing.
const slugByInput: ReadonlyMap<string, DomainSlug> = new Map(
  domainRows.flatMap((row) =>
    [row.slug, ...row.aliases, row.labelEn, row.labelSv].map((input) => [comparable(input), row.slug] as const),
  ),
);

/**
 * The domain that a slug, an alias of the specification or a label from `GET /categories` means; undefined when none.
 * Letter case doesn't matter, dashes and blanks of any kind count as underscores, `å ä ö` as `a a o` (so `Böcker` is the alias
 * `bocker`). The empty string is `other`; nothing is trimmed or guessed beyond that.
 */
export function resolveSlug(input: string): DomainSlug | undefined {
  // No name is that long, whatever its Unicode form: normalising the input would only cost time.
  return input.length > 1_000 ? undefined : slugByInput.get(comparable(input));
}

function comparable(input: string): string {
  return input.normalize('NFC').toLowerCase().replace(anyBlankOrDash, '_').replace(/[åä]/g, 'a').replace(/ö/g, 'o');
}
