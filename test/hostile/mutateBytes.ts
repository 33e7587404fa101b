import { crc32c } from '../../src/primitives/crc.ts'
import type { Random } from './Random.ts'

/** Puts the checksum right, where the bag says that it has one: otherwise nothing behind that check is ever reached. */
const fixChecksum = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length < 10) return bytes
  const magic = (bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!
  const hasCrc = magic === (0xacc3a728 | 0) || (magic === (0xb5ee9c72 | 0) && (bytes[4]! & 0x40) !== 0)
  if (!hasCrc) return bytes
  const out = bytes.slice()
  const crc = crc32c(out, 0, out.length - 4)
  for (let k = 0; k < 4; k++) out[out.length - 4 + k] = crc >>> (8 * k)
  return out
}

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array

const join = (...parts: readonly Uint8Array[]): Uint8Array => {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

const flipBits: Mutation = (bytes, random) => {
  const out = bytes.slice()
  for (let k = random.between(1, 8); k > 0; k--) out[random.below(out.length)]! ^= 1 << random.below(8)
  return out
}

const editBytes: Mutation = (bytes, random) => {
  const out = bytes.slice()
  for (let k = random.between(1, 6); k > 0; k--) {
    out[random.below(out.length)] = random.pick([0, 1, 2, 3, 4, 8, 0x7f, 0x80, 0xfe, 0xff, random.below(256)])
  }
  return out
}

const splice: Mutation = (bytes, random, other) => {
  const from = random.below(other.length)
  const part = other.subarray(from, from + random.between(1, 200))
  const at = random.below(bytes.length)
  const until = random.once(2) ? at : Math.min(bytes.length, at + part.length)
  return join(bytes.subarray(0, at), part, bytes.subarray(until))
}

const truncate: Mutation = (bytes, random) =>
  bytes.slice(0, random.once(3) ? random.below(bytes.length) : Math.max(0, bytes.length - random.between(1, 20)))

const duplicate: Mutation = (bytes, random) => {
  const from = random.below(bytes.length)
  const part = bytes.subarray(from, from + random.between(1, 100))
  const at = random.below(bytes.length)
  return join(bytes.subarray(0, at), part, bytes.subarray(at))
}

const removeRange: Mutation = (bytes, random) => {
  const from = random.below(bytes.length)
  return join(bytes.subarray(0, from), bytes.subarray(from + random.between(1, 40)))
}

const fillRange: Mutation = (bytes, random) => {
  const out = bytes.slice()
  const from = random.below(out.length)
  out.fill(random.pick([0, 0xff, random.below(256)]), from, from + random.between(1, 60))
  return out
}

/** Every byte of the first few is a length, a count or a flag. */
const editHeader: Mutation = (bytes, random) => {
  const out = bytes.slice()
  for (let k = random.between(1, 3); k > 0; k--) {
    out[4 + random.below(Math.min(16, out.length - 4))] = random.pick([0, 1, 2, 5, 0x80, 0xff, random.below(256)])
  }
  return out
}

const mutations: readonly Mutation[] = [
  flipBits,
  flipBits,
  editBytes,
  editBytes,
  splice,
  truncate,
  duplicate,
  removeRange,
  fillRange,
  editHeader,
]

/** One or a few changes to the bytes, with no regard to what they mean. */
export const mutateBytes = (bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array => {
  let out = bytes
  for (let k = random.pick([1, 1, 1, 2, 3, 5]); k > 0 && out.length > 5; k--)
    out = random.pick(mutations)(out, random, other)
  return random.once(8) ? out : fixChecksum(out)
}
