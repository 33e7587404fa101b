/**
 * A function whose value is made once for each object and kept in it. For objects that live no longer than a request: a WeakMap has an
 * entry for each, which every garbage collection has to look at.
 */
export const deriveOnce = <O extends object, V, Rest extends readonly unknown[] = []>(
  make: (from: O, ...rest: Rest) => V,
): ((from: O, ...rest: Rest) => V) => {
  const name = Symbol('derived')
  return (from, ...rest) => {
    const known = (from as { readonly [name]?: V })[name]
    if (known !== undefined) return known
    const value = make(from, ...rest)
    // Not enumerable: a copy of the object that differs from it must not have it.
    Object.defineProperty(from, name, { value })
    return value
  }
}
