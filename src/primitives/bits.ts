/**
 * A copy of `bytes` whose first `count` bits are those of `prefix`: how an anycast rewrite, or the free prefix of a contract's
 * address, turns one account id into another.
 */
export const replaceLeadingBits = (bytes: Uint8Array, prefix: Uint8Array, count: number): Uint8Array => {
  const replaced = bytes.slice()
  const wholeBytes = count >>> 3
  replaced.set(prefix.subarray(0, wholeBytes))
  const rest = count & 7
  if (rest !== 0) {
    const kept = 0xff >>> rest
    replaced[wholeBytes] = (prefix[wholeBytes]! & ~kept) | (bytes[wholeBytes]! & kept)
  }
  return replaced
}
