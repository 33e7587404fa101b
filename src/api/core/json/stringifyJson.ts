/** JSON of a value, a bigint in it written as a number with all its digits. */
export const stringifyJson = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    // The built-in way is the fast one and fits nearly every answer; it refuses bigints with this kind of error.
    if (!(error instanceof TypeError)) throw error
    return write(value)
  }
}

const write = (value: unknown): string => {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`
}
