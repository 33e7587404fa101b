// A text, which is passed over, or a whole number with all that belongs to it.
const tokens = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g
const integer = /^-?[0-9]{16,}$/

/** Reads JSON without losing digits: an integer that a number cannot hold becomes a bigint. */
export const parseExactJson = (text: string): unknown => {
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text)
  // No text of the answer begins like this, since nobody knows it beforehand.
  const mark = `${Math.random()}:`
  let isMarked = false
  const marked = text.replace(tokens, (token) => {
    if (!integer.test(token) || Number.isSafeInteger(Number(token))) return token
    isMarked = true
    return `"${mark}${token}"`
  })
  if (!isMarked) return JSON.parse(text)
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

/** JSON with a bigint in it written as a number. */
export const stringifyExactJson = (value: unknown): string => {
  const mark = `${Math.random()}:`
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? `${mark}${member}` : member,
  )
  return text.includes(mark) ? text.replaceAll(new RegExp(`"${mark}(-?[0-9]+)"`, 'g'), '$1') : text
}
