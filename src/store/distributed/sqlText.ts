// Finds the parts of our own statements, which are lower-case and without comments. It is no parser of SQL.

/** The position of the bracket that closes the one at `open`. */
export const closeOf = (text: string, open: number): number => {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const letter = text[at]
    if (letter === "'") at = text.indexOf("'", at + 1)
    else if (letter === '(') depth++
    else if (letter === ')' && --depth === 0) return at
    if (at < 0) break
  }
  throw new Error(`A bracket is not closed: ${text.slice(open, open + 100)}`)
}

/** Calls back at every position outside brackets and quotes. Stops when the callback returns true. */
const walkOutside = (text: string, visit: (at: number) => boolean): void => {
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === "'") at = text.indexOf("'", at + 1)
    else if (letter === '(') at = closeOf(text, at)
    else if (visit(at)) return
    if (at < 0) return
  }
}

/** The first match outside brackets; the expression is sticky. */
export const findOutside = (text: string, expression: RegExp): RegExpExecArray | undefined => {
  const sticky = new RegExp(expression.source, 'y')
  let found: RegExpExecArray | null = null
  walkOutside(text, (at) => {
    sticky.lastIndex = at
    found = sticky.exec(text)
    return found !== null
  })
  return found ?? undefined
}

/** The pieces between matches outside brackets. */
export const splitOutside = (text: string, expression: RegExp): string[] => {
  const pieces: string[] = []
  let rest = text
  for (;;) {
    const found = findOutside(rest, expression)
    if (found === undefined) return [...pieces, rest]
    pieces.push(rest.slice(0, found.index))
    rest = rest.slice(found.index + found[0].length)
  }
}

/** References to columns of an alias, as a pattern. */
export const columnsOf = (alias: string): RegExp => new RegExp(`(?<![\\w".])"?${alias}"?\\."?(\\w+)"?`, 'g')

/** A select in pieces. */
export type SelectPieces = {
  readonly selected: string
  readonly from: string
  /** From WHERE on, or what comes instead of it. */
  readonly tail: string
}

const TAIL = /\b(?:where|group by|order by|limit|offset)\b/

/** `undefined` if it is a union or has no FROM. */
export const cutSelect = (text: string): SelectPieces | undefined => {
  const trimmed = text.trim()
  if (!/^select\s/.test(trimmed) || findOutside(trimmed, /\bunion\b/) !== undefined) return undefined
  const from = findOutside(trimmed, /\bfrom\s/)
  if (from === undefined) return undefined
  const rest = trimmed.slice(from.index + from[0].length)
  const tail = findOutside(rest, TAIL)
  return {
    selected: trimmed.slice('select'.length, from.index).trim(),
    from: (tail === undefined ? rest : rest.slice(0, tail.index)).trim(),
    tail: tail === undefined ? '' : rest.slice(tail.index).trim(),
  }
}
