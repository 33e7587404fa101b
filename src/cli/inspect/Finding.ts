/** What was found in something, as a program gets it; a person sees the same, indented. */
export type Finding = { readonly [name: string]: Found }

export type Found = string | number | boolean | undefined | readonly Found[] | Finding

/** Lines of `name  value`, what is inside something below it and further to the right. */
export const formatFinding = (finding: Finding): string => linesOf(finding).join('\n')

const linesOf = (finding: Finding): string[] => {
  const entries = Object.entries(finding).filter(([, value]) => !isNothing(value))
  const width = Math.max(0, ...entries.filter(([, value]) => isPlain(value)).map(([name]) => name.length))
  return entries.flatMap(([name, value]) =>
    isPlain(value) ? [`${name.padEnd(width)}  ${value}`] : [name, ...indent(linesOfParts(value))],
  )
}

const linesOfParts = (parts: readonly Found[] | Finding): string[] => {
  if (!isList(parts)) return linesOf(parts)
  return parts.flatMap((part) => {
    if (isPlain(part)) return [String(part)]
    const [first = '', ...rest] = linesOfParts(part)
    return [`- ${first}`, ...indent(rest)]
  })
}

const isNothing = (value: Found): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

const isList = (value: readonly Found[] | Finding): value is readonly Found[] => Array.isArray(value)

const isPlain = (value: Found): value is string | number | boolean | undefined => typeof value !== 'object'
