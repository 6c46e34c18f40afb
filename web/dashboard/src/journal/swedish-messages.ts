type Rule = readonly [pattern: RegExp, swedish: string];

/** `$1` is what the parentheses found, word for word; `${1}` is looked up in {@link parts}, list by list. */
export const swedishRules: readonly Rule[] = [
  // Items
  [/^The item was created\.$/, 'Artikeln skapades.'],
  [
    /^The item was created, to be published when its images are ready\.$/,
    'Artikeln skapades och publiceras när bilderna är klara.',
  ],
  [/^The item was updated: (.+)\.$/, 'Artikeln ändrades: ${1}.'],
  [
    /^The item was pushed again; its failed images are tried again\.$/,
    'Artikeln skickades igen; bilderna som misslyckades provas på nytt.',
  ],
  [/^The price was changed from (\S+) to (\S+) SEK\.$/, 'Priset ändrades från $1 till $2 kr.'],
  [/^The item was marked as sold\.$/, 'Artikeln markerades som såld.'],
  [/^The item was taken off the service\.$/, 'Artikeln togs ned.'],
  [/^The item was deleted\.$/, 'Artikeln togs bort.'],
  [
    /^The item was deleted and is kept as archived, because an order is in progress\.$/,
    'Artikeln togs bort och finns kvar som arkiverad, eftersom en order pågår.',
  ],
  [/^Publication was asked for\.$/, 'Publicering begärdes.'],
  [/^Another try was asked for: (.+)\.$/, 'Ett nytt försök begärdes: ${1}.'],
  [/^(\d+) of (\d+) images are hosted\.$/, '$1 av $2 bilder är klara.'],
  [/^(\d+) of (\d+) images are hosted; (\d+) failed\.$/, '$1 av $2 bilder är klara, $3 misslyckades.'],
  [/^Title and description were improved\.$/, 'Titel och beskrivning förbättrades.'],
  [/^Title and description need no improvement\.$/, 'Titel och beskrivning behövde inte förbättras.'],
  [
    /^Title and description stay as they were sent: no language model answered\. It is asked again with the next change\.$/,
    'Titel och beskrivning är kvar som de skickades: språkmodellen svarade inte. Den tillfrågas igen vid nästa ändring.',
  ],
  [
    /^Make, model and year were left out: the vehicle registry did not answer\. It is asked again with the next change\.$/,
    'Märke, modell och årsmodell saknas: fordonsregistret svarade inte. Det tillfrågas igen vid nästa ändring.',
  ],
  [
    /^Make, model and year were left out: the vehicle registry does not know the plate\.$/,
    'Märke, modell och årsmodell saknas: fordonsregistret känner inte till registreringsnumret.',
  ],
  [
    /^Make, model and year were found by the plate: (.+)\.$/,
    'Märke, modell och årsmodell hämtades med registreringsnumret: $1.',
  ],
  [/^The item's category on the marketplace was chosen: (\S+)\.$/, 'Artikelns kategori på marknadsplatsen valdes: $1.'],
  // Auctions and sales
  [/^The auction is live on the marketplace as (\S+)\.$/, 'Auktionen är uppe på marknadsplatsen med id $1.'],
  [
    /^The auction is live on the marketplace as (\S+)\. The marketplace did not take every picture\.$/,
    'Auktionen är uppe på marknadsplatsen med id $1. Marknadsplatsen tog inte emot alla bilder.',
  ],
  [/^The auction was changed: (.+)\.$/, 'Auktionen ändrades: ${1}.'],
  [/^The auction was taken down\.$/, 'Auktionen togs ned.'],
  [/^The auction (\S+) ended without a winner\.$/, 'Auktionen $1 tog slut utan vinnare.'],
  [/^The auction (\S+) is no longer on the marketplace\.$/, 'Auktionen $1 finns inte längre på marknadsplatsen.'],
  [/^The auction (\S+) was won at (\S+) SEK\.$/, 'Auktionen $1 vanns för $2 kr.'],
  [
    /^The auction (\S+) was won at (\S+) SEK\. The item has another order in progress \((.+)\): .+$/,
    'Auktionen $1 vanns för $2 kr. Artikeln har en annan pågående order ($3): den är såld två gånger, och en order måste avbrytas.',
  ],
  [
    /^Not changed: the auction has bids, so the marketplace takes no change; it is kept for the next auction\.$/,
    'Inte ändrad: auktionen har bud och kan inte ändras. Ändringen sparas till nästa auktion.',
  ],
  [
    /^(\S+) SEK was refused: the auction has bids, so its price stays (\S+) SEK\.$/,
    '$1 kr nekades: auktionen har bud, så priset är kvar på $2 kr.',
  ],
  [/^The item was sold directly at (\S+) SEK \((\S+)\)\.$/, 'Artikeln såldes direkt för $1 kr ($2).'],
  [/^The buyer has paid\.$/, 'Köparen har betalat.'],
  [/^The order (\S+) was paid\.$/, 'Ordern $1 betalades.'],
  [/^The order (\S+) was completed\.$/, 'Ordern $1 avslutades.'],
  [
    /^The order (\S+) was cancelled; the item stays sold until it is put on sale again\.$/,
    'Ordern $1 avbröts; artikeln är såld tills den läggs ut igen.',
  ],
  // The account
  [/^The account was registered$/, 'Kontot skapades'],
  [/^Signed in from (\S+)$/, 'Inloggad från $1'],
  [/^Signed out$/, 'Utloggad'],
  [/^A session was ended from another one$/, 'En inloggning avslutades från en annan'],
  [/^The account was suspended, and its sessions were ended$/, 'Kontot stängdes av, och dess inloggningar avslutades'],
  [/^The account is suspended no more$/, 'Kontot är inte längre avstängt'],
  [/^All other sessions were ended$/, 'Alla andra inloggningar avslutades'],
  [
    /^The password was changed, and all other sessions were ended$/,
    'Lösenordet byttes, och alla andra inloggningar avslutades',
  ],
  [/^API key "(.+)" \((\S+)…\) was generated$/, 'API-nyckeln ”$1” ($2…) skapades'],
  [/^API key "(.+)" \((\S+)…\) was revoked$/, 'API-nyckeln ”$1” ($2…) återkallades'],
  [
    /^The account was connected to the marketplace, as its user (\S+)$/,
    'Kontot anslöts till marknadsplatsen, som användaren $1',
  ],
  [
    /^The account was connected to the marketplace again, as its user (\S+)$/,
    'Kontot anslöts till marknadsplatsen igen, som användaren $1',
  ],
  [
    /^The connection to the marketplace was removed and its token forgotten$/,
    'Anslutningen till marknadsplatsen togs bort och dess token glömdes',
  ],
  [
    /^The marketplace no longer accepts the token; connect again$/,
    'Marknadsplatsen godtar inte längre din token; anslut igen',
  ],
  [/^A checkout of the Pro plan was started$/, 'Ett köp av Pro påbörjades'],
  [/^The Pro plan has begun, paid until (\S+)$/, 'Pro har börjat gälla, betalt till och med $1'],
  [/^The Pro plan is paid until (\S+)$/, 'Pro är betalt till och med $1'],
  [/^The Pro plan is paid until (\S+) and ends then$/, 'Pro är betalt till och med $1 och tar slut då'],
  [/^The Pro plan has ended$/, 'Pro har upphört'],
  // Bulk syncs, webhooks
  [/^A bulk sync of (\d+) lines was accepted$/, 'En massynkning med $1 rader togs emot'],
  [/^A bulk sync of (\d+) lines was cancelled$/, 'En massynkning med $1 rader avbröts'],
  [/^A webhook endpoint at (\S+) was created$/, 'En webhook till $1 skapades'],
  [/^The webhook endpoint at (\S+) was changed: (.+)$/, 'Webhooken till $1 ändrades: $2'],
  [/^The webhook endpoint at (\S+) was deleted$/, 'Webhooken till $1 togs bort'],
  [/^The secret of the webhook endpoint at (\S+) was replaced$/, 'Signeringshemligheten för webhooken till $1 byttes'],
  [/^The secret of the account's webhook URL was replaced$/, 'Signeringshemligheten för kontots adress byttes'],
  [/^The secret of the account's webhook URL was made$/, 'En signeringshemlighet för kontots adress skapades'],
  [/^The account's webhook URL was set, to an address at (\S+)$/, 'Kontots adress sattes till en adress hos $1'],
  [/^The account's webhook URL was removed$/, 'Kontots adress togs bort'],
  [/^A test event was sent to a webhook endpoint$/, 'En testhändelse skickades till en webhook'],
  [/^An (\S+) event was asked to be delivered again$/, 'En händelse ($1) skulle skickas igen'],
  [
    /^(\d+) missed events since (\S+) were asked to be delivered again$/,
    '$1 missade händelser sedan $2 skulle skickas igen',
  ],
  // Resellers
  [/^The account has a public page, (\S+)$/, 'Kontot har en publik sida, $1'],
  [/^The public page (\S+) was changed$/, 'Den publika sidan $1 ändrades'],
  [/^An account became a member$/, 'Ett konto blev medlem'],
  [/^The member (.+) left$/, 'Medlemmen $1 lämnade'],
  [/^The reference of the member (.+) was changed to (.+)$/, 'Referensen för medlemmen $1 byttes till $2'],
  [
    /^The account became the member of a reseller, which may act for it from now on$/,
    'Kontot blev medlem hos en återförsäljare, som nu får agera åt det',
  ],
  [
    /^The account left its reseller, which can no longer act for it$/,
    'Kontot lämnade sin återförsäljare, som inte längre kan agera åt det',
  ],
];

/** Fields and lists in the middle of a sentence. What is not here is a name that both languages share. */
const parts: Readonly<Record<string, string>> = {
  title: 'titel',
  description: 'beskrivning',
  price: 'pris',
  shippingCost: 'frakt',
  weightKg: 'vikt',
  currency: 'valuta',
  imageUrls: 'bilder',
  domain: 'domän och egenskaper',
  useAiEnhancement: 'AI-förbättring',
  'its content is up to date': 'innehållet är uppdaterat',
  'the images that failed': 'bilderna som misslyckades',
  'the publication that was given up': 'publiceringen som gavs upp',
  'the change of the auction that was refused or given up': 'ändringen av auktionen som nekades eller gavs upp',
  'what nobody answered': 'det som ingen svarade på',
  'what it waits for': 'det som artikeln väntar på',
};

/** A message of the service, which it keeps in English, in Swedish; undefined for one that is not known here. */
export function inSwedish(message: string): string | undefined {
  for (const [pattern, swedish] of swedishRules) {
    const found = pattern.exec(message);
    if (found !== null)
      return swedish.replace(/\$\{(\d)\}|\$(\d)/g, (_, list?: string, word?: string) =>
        list === undefined ? (found[Number(word)] ?? '') : listInSwedish(found[Number(list)] ?? ''),
      );
  }
  return undefined;
}

const listInSwedish = (list: string): string =>
  list
    .split(', ')
    .map((part) => parts[part] ?? part.replace(/^its price is (\S+) SEK$/, 'priset är $1 kr'))
    .join(', ');
