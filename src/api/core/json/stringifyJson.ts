import { randomUUID } from 'node:crypto'

/** Nothing that a caller sends can have it in it. */
const mark = randomUUID()
const markText = JSON.stringify(mark)

/** The texts of those that were met, in the order of their marks. */
let met: string[] = []

/**
 * Stands on its way out for a value of which the JSON is at hand: what stringifyJson makes has that in its place. It is for objects whose
 * members are named by data, such as address books: to make one, only to have it written, takes twenty times as long as its text. And
 * for what is kept to be shown again.
 */
class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    met.push(this.text)
    return mark
  }
}

/** The value that a text is the JSON of, for an answer: nobody can look into it. */
export const asJson = <T>(text: string): T => new JsonText(text) as T

/** An object by the JSON of its members. Names are of letters that JSON writes as they are. */
export const recordAsJson = <V>(
  members: Iterable<readonly [name: string, json: string]>,
): Readonly<Record<string, V>> => {
  let text = ''
  for (const [name, json] of members) text += `${text === '' ? '{' : ','}"${name}":${json}`
  return asJson(text === '' ? '{}' : `${text}}`)
}

/** What `write` makes of a value by the built-in way, with texts in their places. */
const spliceTexts = (write: () => string): string => {
  met = []
  const frame = write()
  const texts = met
  met = []
  if (texts.length === 0) return frame
  let [whole, from] = ['', 0]
  for (const text of texts) {
    const at = frame.indexOf(markText, from)
    whole += frame.slice(from, at) + text
    from = at + markText.length
  }
  return whole + frame.slice(from)
}

/** A value as it would be if it had been built: for those who check what is sent. */
export const readTexts = (value: unknown): unknown => {
  if (value instanceof JsonText) return JSON.parse(value.text)
  if (Array.isArray(value)) return value.map(readTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readTexts(member)]))
}

/** JSON of a value, a bigint in it written as a number with all its digits. It may be nested to any depth. */
export const stringifyJson = (value: unknown): string => {
  try {
    return spliceTexts(() => JSON.stringify(value) ?? 'null')
  } catch (error) {
    // The built-in way is the fast one and fits nearly every answer; it refuses bigints with the one kind of error, and what is
    // nested more than some thousand times with the other.
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error
    return write(value)
  }
}

/** What is yet to be written, the next last: text that is ready, or a value. */
type Waiting = { readonly text: string } | { readonly value: unknown }

const write = (whole: unknown): string => {
  const parts: string[] = []
  const waiting: Waiting[] = [{ value: whole }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('text' in next) parts.push(next.text)
    else if (next.value instanceof JsonText) parts.push(next.value.text)
    else if (typeof next.value === 'object' && next.value !== null) {
      const pieces = Array.isArray(next.value) ? piecesOfList(next.value) : piecesOfObject(next.value)
      for (let k = pieces.length - 1; k >= 0; k--) waiting.push(pieces[k]!)
    } else parts.push(typeof next.value === 'bigint' ? String(next.value) : (JSON.stringify(next.value) ?? 'null'))
  }
  return parts.join('')
}

const piecesOfList = (values: readonly unknown[]): Waiting[] => {
  const pieces: Waiting[] = [{ text: '[' }]
  values.forEach((value, k) => {
    if (k > 0) pieces.push({ text: ',' })
    pieces.push({ value })
  })
  pieces.push({ text: ']' })
  return pieces
}

const piecesOfObject = (value: object): Waiting[] => {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const pieces: Waiting[] = [{ text: '{' }]
  members.forEach(([name, member], k) => {
    pieces.push({ text: `${k > 0 ? ',' : ''}${JSON.stringify(name)}:` }, { value: member })
  })
  pieces.push({ text: '}' })
  return pieces
}
