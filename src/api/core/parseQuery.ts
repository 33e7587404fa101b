/** Every value of every name in a query string, in order. */
export type QueryValues = { readonly [name: string]: readonly string[] }

/** Reads a query string. `name[]=…`, as some clients write lists, is `name=…`. */
export const parseQuery = (text: string): QueryValues => {
  const values: Record<string, string[]> = Object.create(null)
  for (const [key, value] of isPlain.test(text) ? splitPairs(text) : new URLSearchParams(text)) {
    const name = key.endsWith('[]') ? key.slice(0, -2) : key
    const known = values[name]
    if (known === undefined) values[name] = [value]
    else known.push(value)
  }
  return values
}

/** Most queries are of such letters alone, and need no decoding, which costs ten times what it does to take them apart. */
const isPlain = /^[\w.~:,\-&=[\]]*$/

const splitPairs = (text: string): [key: string, value: string][] =>
  text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    })
