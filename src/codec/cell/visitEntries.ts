import type { DictWalk } from './Dict.ts'

interface Walkable<K, V> {
  forEach(visit: (key: K, value: V) => boolean, walk?: DictWalk<K>): void
}

/**
 * Visits entries until `visit` says `false`, and enters nothing behind that one: proofs of a page hold nothing beyond it.
 * Says whether the end of the dictionary was met.
 */
export const visitEntries = <K, V>(
  dict: Walkable<K, V>,
  walk: DictWalk<K>,
  visit: (key: K, value: V) => boolean,
): boolean => {
  let goesOn = true
  // biome-ignore lint/suspicious/useIterableCallbackReturn: this is no array, and `false` ends the walk.
  dict.forEach((key, value) => {
    goesOn = visit(key, value)
    return goesOn
  }, walk)
  return goesOn
}

/** The first entry of a walk. */
export const findEntry = <K, V>(dict: Walkable<K, V>, walk: DictWalk<K>): readonly [K, V] | undefined => {
  let found: readonly [K, V] | undefined
  visitEntries(dict, walk, (key, value) => {
    found = [key, value]
    return false
  })
  return found
}

/** The first entries, at most so many. */
export const takeEntries = <K, V>(dict: Walkable<K, V>, limit: number, walk: DictWalk<K> = {}): [K, V][] => {
  const taken: [K, V][] = []
  if (limit > 0) visitEntries(dict, walk, (key, value) => taken.push([key, value]) < limit)
  return taken
}
