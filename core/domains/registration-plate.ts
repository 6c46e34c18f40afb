/**
 * Any 2 to 7 letters and digits: the rule of personal plates, of which the ordinary ones (three letters, two digits, a
 * digit or letter) are a part. So a wrong ordinary plate can't be told from a personal one; the look-up tells.
 */
const plateForm = /^[A-ZÅÄÖa-zåäö0-9]{2,7}$/;

/**
 * The Swedish plate in the form it is stored and searched: upper case, without spaces and hyphens (`mlb 84a` →
 * `MLB84A`); undefined when it can't be one.
 */
export function normalisePlate(input: string): string | undefined {
  const plate = input.normalize('NFC').replace(/[- ]/g, '');
  // Checked before it is raised: some foreign letters (ß, ı) would turn into ordinary ones.
  return plateForm.test(plate) ? plate.toUpperCase() : undefined;
}
