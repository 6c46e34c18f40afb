import type { Language } from '../language.ts';
import { textsEn } from './texts-en.ts';
import { textsSv, type Texts } from './texts-sv.ts';

export const texts: Readonly<Record<Language, Texts>> = { sv: textsSv, en: textsEn };
