/** How long pages may be that are read together with those of others. */
export const MAX_SHORT_PAGE = 100

/** Makes something for each direction and length of a page once, when it is first asked for. */
export const pagesByLength = <T>(
  make: (direction: 'asc' | 'desc', length: number) => T,
): ((direction: 'asc' | 'desc', length: number) => T) => {
  const made = new Map<string, T>()
  return (direction, length) => {
    const name = `${direction} ${length}`
    const known = made.get(name) ?? make(direction, length)
    made.set(name, known)
    return known
  }
}
