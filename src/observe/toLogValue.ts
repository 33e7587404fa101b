/**
 * A value as JSON can carry it: bigints as decimal text, bytes as hex, errors with code, stack and cause. A log line must
 * not fail, so what cannot be shown (a cycle, a getter that throws) is said to be so.
 */
export const toLogValue = (value: unknown): unknown => {
  try {
    return toPlain(value, 0)
  } catch {
    return '[not shown: reading the value failed]'
  }
}

const MAX_DEPTH = 6
const MAX_ITEMS = 100
const MAX_BYTES = 64

const toPlain = (value: unknown, depth: number): unknown => {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[not shown: too deep]'
  if (value instanceof Uint8Array) return formatBytes(value)
  if (value instanceof Error) return toPlainError(value, depth)
  if ('toJSON' in value && typeof value.toJSON === 'function') return toPlain(value.toJSON(), depth + 1)
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ITEMS).map((item) => toPlain(item, depth + 1))
    return value.length > MAX_ITEMS ? [...shown, `… (${value.length} items)`] : shown
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([key, item]) => [key, toPlain(item, depth + 1)]),
  )
}

const formatBytes = (bytes: Uint8Array): string => {
  const shown = Array.from(bytes.subarray(0, MAX_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return bytes.length > MAX_BYTES ? `${shown}… (${bytes.length} bytes)` : shown
}

const toPlainError = (error: Error, depth: number): unknown => ({
  ...('code' in error && { code: error.code }),
  message: error.message,
  stack: error.stack,
  ...(error.cause !== undefined && { cause: toPlain(error.cause, depth + 1) }),
})
