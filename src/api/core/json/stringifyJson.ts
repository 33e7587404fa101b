import { randomUUID } from 'node:crypto'

/** Random, so that no caller can send it. */
const mark = randomUUID()
const markText = JSON.stringify(mark)

/** Raw JSON texts met while stringifying, in the order of their marks. */
let met: string[] = []

/**
 * Raw JSON in place of a value: stringifyJson inserts the text as it is. For objects whose keys are data, such as address books (building
 * such an object only to stringify it takes twenty times longer than its text), and for cached JSON.
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

/** Raw JSON typed as its value, for a response; the value cannot be read. */
export const asJson = <T>(text: string): T => new JsonText(text) as T

/** An object made of the JSON of its members. Names must not need escapes. */
export const recordAsJson = <V>(
  members: Iterable<readonly [name: string, json: string]>,
): Readonly<Record<string, V>> => {
  let text = ''
  for (const [name, json] of members) text += `${text === '' ? '{' : ','}"${name}":${json}`
  return asJson(text === '' ? '{}' : `${text}}`)
}

/** The output of `write` (JSON.stringify) with the marks replaced by raw texts. */
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

/** A value with its raw JSON parsed, to check responses. */
export const readTexts = (value: unknown): unknown => {
  if (value instanceof JsonText) return JSON.parse(value.text)
  if (Array.isArray(value)) return value.map(readTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readTexts(member)]))
}

/** JSON of a value; bigints become numbers. Any nesting depth works. */
export const stringifyJson = (value: unknown): string => {
  if (value instanceof JsonText) return value.text
  try {
    return spliceTexts(() => JSON.stringify(value) ?? 'null')
  } catch (error) {
    // JSON.stringify is fast and works for nearly every response; it throws a TypeError for bigints and a RangeError for deep nesting.
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error
    return write(value)
  }
}

/** Stack of texts and values yet to be written. */
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
