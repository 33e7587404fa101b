/** Where bytes stand in a value (`steps.0.proof`), and the bytes. */
export type BytesField = { readonly path: string; readonly bytes: Uint8Array }

/** Every byte array in a value of plain objects and arrays. */
export const listBytes = (value: unknown, path = ''): BytesField[] => {
  if (value instanceof Uint8Array) return value.length === 0 ? [] : [{ path, bytes: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => listBytes(inner, path === '' ? key : `${path}.${key}`))
}

/** The same value with other bytes at one place. */
export const replaceBytes = (value: unknown, path: string, bytes: Uint8Array): unknown => {
  const [key, ...rest] = path.split('.')
  if (key === undefined || key === '') return bytes
  const inner = replaceBytes((value as Record<string, unknown>)[key], rest.join('.'), bytes)
  if (Array.isArray(value)) return value.map((each, k) => (String(k) === key ? inner : each))
  return { ...(value as object), [key]: inner }
}
