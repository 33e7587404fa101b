import { JsonText, spliceTexts } from './JsonText.ts'

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
