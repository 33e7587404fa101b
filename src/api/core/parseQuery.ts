/** Every value of every name in a query string, in order. */
export type QueryValues = { readonly [name: string]: readonly string[] }

/** Reads a query string. `name[]=…`, as some clients write lists, is `name=…`. */
export const parseQuery = (text: string): QueryValues => {
  const values: Record<string, string[]> = Object.create(null)
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.endsWith('[]') ? key.slice(0, -2) : key
    const known = values[name]
    if (known === undefined) values[name] = [value]
    else known.push(value)
  }
  return values
}
