export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-CA')} ${number === 1 ? one : many}`;
}

export function unitsInWords(units: { readonly request: number; readonly delivered: number }): string {
  return `${count(units.request, 'request unit')} + ${count(units.delivered, 'delivered unit')}`;
}
