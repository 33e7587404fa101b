/** The files that take longest come first, in the order of their list, so that none of them is left alone at the end. */
export const orderFiles = (files: readonly string[], longest: readonly string[]): string[] => {
  const places = new Map(longest.map((file, place) => [file.replace(/\.ts$/, ''), place]))
  const placeOf = (file: string): number => places.get(file.replace(/\.[jt]s$/, '')) ?? longest.length
  return files.toSorted((a, b) => placeOf(a) - placeOf(b))
}
