import type { ItemDomain } from '../../items/rules/item-content.ts';

const blockHeader = '--- Teknisk specifikation ---';

/**
 * The text of an auction: the description, then the technical block of auto parts (only lines that have a value), then
 * the condition note, separated by empty lines. Plain text. Source: specification "Marketplace ad text block".
 */
export function adText(description: string, domain: ItemDomain | null): string {
  const paragraphs = [description, technicalBlock(domain), conditionNote(domain)];
  return paragraphs.filter((paragraph) => paragraph.trim() !== '').join('\n\n');
}

/** The same as the HTML that the marketplace takes as description: escaped, line ends as `<br>`. */
export function adHtml(description: string, domain: ItemDomain | null): string {
  return escapeHtml(adText(description, domain)).replace(/\r\n|\r|\n/g, '<br>');
}

function technicalBlock(domain: ItemDomain | null): string {
  if (domain?.slug !== 'auto_parts') return '';
  const { part, vehicle, conditionGrade } = domain.attributes;
  const lines = [
    labelled('OEM', oneLine(field(part, 'oemNumber'))),
    labelled('Skick', oneLine(conditionGrade)),
    labelled('Passar', fittingVehicle(vehicle)),
  ].filter((line) => line !== '');
  return lines.length === 0 ? '' : [blockHeader, ...lines].join('\n');
}

/** `Volvo V70 (2008)`, without missing parts. A year alone describes no vehicle and gives ''. */
function fittingVehicle(vehicle: unknown): string {
  const name = [field(vehicle, 'manufacturer'), field(vehicle, 'model')]
    .map(oneLine)
    .filter((word) => word !== '')
    .join(' ');
  const year = field(vehicle, 'year');
  return name !== '' && typeof year === 'number' ? `${name} (${year})` : name;
}

function conditionNote(domain: ItemDomain | null): string {
  const note = domain?.slug === 'auto_parts' ? domain.attributes['conditionNote'] : undefined;
  return typeof note === 'string' ? note.trim() : '';
}

const labelled = (label: string, value: string): string => (value === '' ? '' : `${label}: ${value}`);

/** Line breaks are removed, because each would look like another line of the block. */
const oneLine = (value: unknown): string => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '');

function field(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? '');
