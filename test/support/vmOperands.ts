import { bls12_381 } from '@noble/curves/bls12-381.js'
import { ed25519, ristretto255 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { LIBRARY_REFERENCE, MERKLE_PROOF, PRUNED_BRANCH } from '../../src/codec/cell/exotic.ts'
import { bytesToBigint } from '../../src/primitives/bytes.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import { shrink } from '../../src/tvm/machine/bits.ts'
import { Builder, type Continuation, type Integer, ordinary, Slice, type Value } from '../../src/tvm/machine/values.ts'
import { makeDictionary, makePrefixDictionary } from './vmDictionaries.ts'
import type { Random } from './vmPrograms.ts'

/** Numbers at which instructions change what they do. */
const INTEGERS: readonly bigint[] = [
  ...[0n, 1n, 2n, 3n, 5n, 7n, 10n, 16n, 27n, 28n, 32n, 52n, 53n, 100n, 255n, 256n, 257n, 1023n, 1024n, -1n, -2n, -256n],
  1n << 31n,
  -(1n << 31n),
  (1n << 53n) - 1n,
  1n << 53n,
  (1n << 63n) - 1n,
  -(1n << 63n),
  1n << 64n,
  1n << 255n,
  (1n << 256n) - 1n,
  -(1n << 256n),
  -(1n << 255n),
]

/** Code of continuations: what loops, branches and handlers are made of. Each fits into fifteen bytes. */
const BODIES: readonly string[] = [
  '',
  '00',
  '71',
  'a4',
  'a5',
  '30',
  '20',
  '7030',
  '72a0',
  '2070',
  '6d',
  'f221',
  'f245',
  'db31',
  'db30',
  'ed40',
  'ed41',
  'f800',
  'f80f',
  '70ed57',
  '8b08ed54',
  'a420c105',
  'a420c10a',
  'a5dc',
  '3031',
  '715872',
  'c8c9',
  'c8c9ed55',
  '30302171',
]

/** A library that every run knows, and one that none does. */
export const knownLibrary = new CellWriter().writeUint(0x72a4, 16).toCell()
const unknownHash = new Uint8Array(32).fill(0x17)

const libraryCell = (hash: Uint8Array): Cell =>
  new CellWriter().writeUint(LIBRARY_REFERENCE, 8).writeBytes(hash).toExoticCell()

const pruned = new CellWriter()
  .writeUint(PRUNED_BRANCH, 8)
  .writeUint(1, 8)
  .writeBytes(new Uint8Array(32).fill(0x2a))
  .writeUint(3, 16)
  .toExoticCell()
const aboveNone = new CellWriter().writeUint(5, 8).writeRef(pruned).writeRef(emptyCell).toCell()

/** A proof of a cell that has a pruned branch below it. */
export const merkleProof = new CellWriter()
  .writeUint(MERKLE_PROOF, 8)
  .writeBytes(aboveNone.hash(0))
  .writeUint(aboveNone.depth(0), 16)
  .writeRef(aboveNone)
  .toExoticCell()

/** Random values of each kind, likely to be at a limit of what instructions take. */
export class ValueMaker {
  readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  chance(share: number): boolean {
    return this.random.next() < share
  }

  integer(): Integer {
    const { random } = this
    const kind = random.next()
    if (kind < 0.35) return random.below(20) - 3
    if (kind < 0.65) return shrink(random.pick(INTEGERS))
    if (kind < 0.75) return shrink(BigInt.asIntN(257, random.pick(INTEGERS) + BigInt(random.below(5) - 2)))
    if (kind < 0.97) return this.wide()
    return Number.NaN
  }

  /** Of up to 257 bits, of any length. */
  private wide(): Integer {
    const { random } = this
    const bits = 1 + random.below(256)
    let value = 0n
    for (let k = 0; k < bits; k += 24) value = (value << 24n) | BigInt(random.below(1 << 24))
    return shrink(BigInt.asIntN(bits + 1, value))
  }

  /** From `min` to `max`, mostly. */
  small(max: number, min = 0): number {
    const { random } = this
    const kind = random.next()
    if (kind < 0.08) return max
    if (kind < 0.12) return min
    if (kind < 0.15) return max + 1
    if (kind < 0.17) return min - 1
    if (kind < 0.6) return Math.min(max, min + random.below(9))
    return min + random.below(Math.min(max - min, 2 ** 31) + 1)
  }

  bits(length: number): Builder {
    let builder = Builder.empty
    for (let left = length; left > 0; ) {
      const part = Math.min(left, 24)
      builder = builder.withInteger(this.random.below(2 ** part), part)
      left -= part
    }
    return builder
  }

  private length(): number {
    const { random } = this
    const kind = random.below(10)
    if (kind < 3) return 8 * random.below(40)
    if (kind < 8) return random.below(300)
    return kind === 8 ? random.below(1024) : random.pick([0, 1, 255, 256, 257, 267, 1016, 1022, 1023])
  }

  builder(): Builder {
    let builder = this.bits(this.length())
    for (let refs = this.chance(0.5) ? this.random.below(5) : 0; refs > 0; refs--)
      builder = builder.withRef(this.cell(1))
    return builder
  }

  cell(depth = 0): Cell {
    if (this.chance(0.05)) return this.exotic()
    let builder = this.bits(depth > 0 ? this.random.below(64) : this.length())
    if (depth < 3) {
      for (let refs = this.random.below(depth === 0 ? 3 : 2); refs > 0; refs--)
        builder = builder.withRef(this.cell(depth + 1))
    }
    return builder.toCell()
  }

  private exotic(): Cell {
    const kind = this.random.below(3)
    if (kind === 0) return merkleProof
    return libraryCell(kind === 1 ? knownLibrary.hash() : unknownHash)
  }

  slice(): Slice {
    const whole = Slice.of(this.builder().toCell())
    if (this.chance(0.7)) return whole
    return whole.skip(this.random.below(whole.bits + 1), this.random.below(whole.refs + 1))
  }

  /** A slice that begins with what instructions for addresses and amounts read. */
  address(): Slice {
    const { random } = this
    const start = Builder.empty
    const anycast = (b: Builder): Builder => {
      if (this.chance(0.7)) return b.withInteger(0, 1)
      const depth = random.below(32)
      return b.withInteger(1, 1).withInteger(depth, 5).withBuilder(this.bits(depth))
    }
    let address: Builder
    switch (random.below(6)) {
      case 0:
        address = start.withInteger(0, 2)
        break
      case 1: {
        const length = random.pick([0, 8, 256, 511, random.below(512)])
        address = start.withInteger(1, 2).withInteger(length, 9).withBuilder(this.bits(length))
        break
      }
      case 2: {
        const length = random.pick([0, 1, 5, 32, 256, random.below(512)])
        address = anycast(start.withInteger(3, 2))
          .withInteger(length, 9)
          .withInteger(0, 32)
          .withBuilder(this.bits(length))
        break
      }
      default:
        address = anycast(start.withInteger(2, 2))
          .withInteger(random.pick([0, 255, 7]), 8)
          .withBuilder(this.bits(256))
    }
    if (this.chance(0.4)) {
      const more = this.bits(random.below(100))
      if (address.hasRoom(more.bits)) address = address.withBuilder(more)
    }
    const slice = Slice.of(address.toCell())
    return this.chance(0.1) ? slice.first(random.below(slice.bits + 1)) : slice
  }

  amounts(): Slice {
    const length = this.random.below(32)
    const more = this.bits(this.random.below(200))
    return Slice.of(
      Builder.empty
        .withInteger(length, this.random.pick([4, 5]))
        .withBuilder(this.bits(8 * this.random.below(33)))
        .withBuilder(more)
        .toCell(),
    )
  }

  /** Without what is saved in it: only its code. */
  continuation(): Continuation {
    return ordinary(Slice.of(codeOf(this.random.pick(BODIES))))
  }

  tuple(max = 255, min = 0, depth = 0): Value[] {
    const { random } = this
    const length = this.chance(0.85) ? Math.min(max, min + random.below(6)) : Math.min(max, random.below(256))
    return Array.from({ length: Math.max(length, Math.min(min, 20)) }, () =>
      depth < 2 && this.chance(0.2) ? this.tuple(4, 0, depth + 1) : this.plain(),
    )
  }

  /** Anything but tuples and continuations. */
  private plain(): Value {
    switch (this.random.below(8)) {
      case 0:
        return null
      case 1:
        return this.cell()
      case 2:
        return this.slice()
      case 3:
        return this.builder()
      default:
        return this.integer()
    }
  }

  any(): Value {
    const kind = this.random.below(10)
    if (kind === 0) return this.tuple()
    return kind === 1 ? this.continuation() : this.plain()
  }

  dictionary(keyBits: number, values: DictValues, keys?: string[]): Cell | null {
    return makeDictionary(this, keyBits, values, keys)
  }

  prefixDictionary(keyBits: number, keys?: string[]): Cell | null {
    return makePrefixDictionary(this, keyBits, keys)
  }

  bitText(length: number): string {
    let text = ''
    while (text.length < length)
      text += this.random
        .below(2 ** 24)
        .toString(2)
        .padStart(24, '0')
    return text.slice(0, length)
  }
}

export type DictValues = 'bits' | 'ref' | 'code'

export const bitsOf = (text: string): Builder => {
  let builder = Builder.empty
  for (let at = 0; at < text.length; at += 24) {
    const part = text.slice(at, at + 24)
    builder = builder.withInteger(Number.parseInt(part, 2), part.length)
  }
  return builder
}

export const codeOf = (hex: string): Cell => new CellWriter().writeBytes(Buffer.from(hex, 'hex')).toCell()

const bytesSlice = (bytes: Uint8Array): Slice => Slice.of(Builder.empty.withBytes(bytes).toCell())

const lazy = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

type Bytes = Uint8Array

const SECRETS: readonly Bytes[] = [1, 2, 3].map((n) => sha256(Uint8Array.of(n)))

/** Points, keys and signatures that are made once and used over and over. */
const samples = {
  ed25519: lazy(() =>
    SECRETS.map((secret) => ({
      key: bytesToBigint(ed25519.getPublicKey(secret)),
      sign: (data: Bytes): Bytes => ed25519.sign(data, secret),
    })),
  ),
  p256: lazy(() =>
    SECRETS.map((secret) => ({
      key: p256.getPublicKey(secret, true),
      sign: (data: Bytes): Bytes => p256.sign(data, secret),
    })),
  ),
  ristretto: lazy(() => [1n, 2n, 5n, 12_345n].map((n) => ristretto255.Point.BASE.multiply(n).toBytes())),
  g1: lazy(() => [1n, 2n, 3n, 99n].map((n) => bls12_381.G1.Point.BASE.multiply(n).toBytes())),
  g2: lazy(() => [1n, 2n, 3n, 99n].map((n) => bls12_381.G2.Point.BASE.multiply(n).toBytes())),
  bls: lazy(() => {
    const { longSignatures: scheme } = bls12_381
    const dst = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
    const messages = ['one', 'two'].map((text) => new TextEncoder().encode(text))
    const secrets = [7n, 8n].map((n) => bls12_381.fields.Fr.toBytes(n))
    return {
      messages,
      keys: secrets.map((secret) => scheme.getPublicKey(secret).toBytes()),
      signatures: secrets.map((secret) =>
        messages.map((message) => scheme.sign(scheme.hash(message, dst), secret).toBytes()),
      ),
    }
  }),
  secp: lazy(() => {
    const [secret, hash] = [SECRETS[0]!, SECRETS[1]!]
    const signature = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered', lowS: true })
    return { hash, signature, key: secp256k1.getPublicKey(secret, true).subarray(1) }
  }),
}

const number = (bytes: Bytes): Integer => shrink(bytesToBigint(bytes))

/** Operands of instructions whose operands belong together, bottom first; `undefined` for all others. */
export const specialOperands = (maker: ValueMaker, name: string): Value[] | undefined => {
  const { random } = maker
  const many = (make: () => Value[]): Value[] => {
    const count = random.below(4)
    return [...Array.from({ length: count }, make).flat(), maker.chance(0.95) ? count : maker.integer()]
  }
  const spoil = (slice: Slice): Slice => {
    if (maker.chance(0.85)) return slice
    return maker.chance(0.5) ? maker.slice() : slice.first(random.below(slice.bits))
  }
  const g1 = (): Slice => spoil(bytesSlice(maker.chance(0.1) ? infinity(48) : random.pick(samples.g1())))
  const g2 = (): Slice => spoil(bytesSlice(maker.chance(0.1) ? infinity(96) : random.pick(samples.g2())))
  const scalar = (): Value => (maker.chance(0.5) ? random.below(20) : maker.integer())
  const field = (length: number): Slice => Slice.of(maker.bits(8 * length).toCell())
  const data = (): Uint8Array => Slice.of(maker.bits(8 * random.below(60)).toCell()).toBytes()
  const rist = (): Integer => (maker.chance(0.8) ? number(random.pick(samples.ristretto())) : maker.integer())
  if (name.startsWith('RIST255_')) {
    if (name.endsWith('PUSHL')) return []
    if (name.endsWith('FROMHASH')) return [maker.integer(), maker.integer()]
    if (name.endsWith('MULBASE')) return [scalar()]
    if (name.endsWith('MUL')) return [rist(), scalar()]
    return name.endsWith('VALIDATE') ? [rist()] : [rist(), rist()]
  }
  if (name.startsWith('BLS_')) {
    const { messages, keys, signatures } = samples.bls()
    const who = random.below(2)
    const what = random.below(2)
    const [key, message, signature] = [keys[who]!, messages[what]!, signatures[who]![what]!].map(bytesSlice)
    switch (name) {
      case 'BLS_VERIFY':
        return [spoil(key!), spoil(message!), spoil(signature!)]
      case 'BLS_AGGREGATE':
        return many(() => [g2()])
      case 'BLS_FASTAGGREGATEVERIFY':
        return maker.chance(0.5)
          ? [key!, 1, message!, signature!]
          : [...many(() => [g1()]), spoil(message!), spoil(signature!)]
      case 'BLS_AGGREGATEVERIFY':
        return maker.chance(0.5)
          ? [key!, message!, 1, signature!]
          : [...many(() => [g1(), spoil(message!)]), spoil(signature!)]
      case 'BLS_PAIRING':
        return many(() => [g1(), g2()])
      case 'BLS_MAP_TO_G1':
        return [spoil(field(48))]
      case 'BLS_MAP_TO_G2':
        return [spoil(field(96))]
      case 'BLS_PUSHR':
        return []
    }
    const point = name.includes('G1') ? g1 : g2
    if (name.endsWith('ZERO') && !name.endsWith('ISZERO')) return []
    if (name.endsWith('MULTIEXP')) return many(() => [point(), scalar()])
    if (name.endsWith('MUL')) return [point(), scalar()]
    return /ADD|SUB/.test(name) ? [point(), point()] : [point()]
  }
  if (name.startsWith('P256_')) {
    const signer = random.pick(samples.p256())
    const hash = maker.bits(256)
    const signed = name.endsWith('U') ? Slice.of(hash.toCell()).toBytes() : data()
    return [
      name.endsWith('U') ? number(signed) : bytesSlice(signed),
      spoil(bytesSlice(signer.sign(signed))),
      spoil(bytesSlice(signer.key)),
    ]
  }
  if (name === 'CHKSIGNU' || name === 'CHKSIGNS') {
    const signer = random.pick(samples.ed25519())
    const signed = name.endsWith('U') ? Slice.of(maker.bits(256).toCell()).toBytes() : data()
    const key: Value = maker.chance(0.9) ? shrink(signer.key) : maker.integer()
    return [name.endsWith('U') ? number(signed) : bytesSlice(signed), spoil(bytesSlice(signer.sign(signed))), key]
  }
  if (name === 'ECRECOVER') {
    const { hash, signature } = samples.secp()
    const s = number(signature.subarray(33, 65))
    return [
      number(hash),
      maker.chance(0.8) ? signature[0]! : maker.small(255),
      number(signature.subarray(1, 33)),
      maker.chance(0.9) ? s : maker.integer(),
    ]
  }
  if (name.startsWith('SECP256K1_XONLY'))
    return [maker.chance(0.8) ? number(samples.secp().key) : maker.integer(), scalar()]
  if (name.startsWith('HASHEXT')) {
    const parts = many(() => [
      maker.chance(0.5) ? bytesSlice(data()) : maker.chance(0.8) ? maker.bits(8 * random.below(60)) : maker.slice(),
    ])
    const below = name.startsWith('HASHEXTA')
      ? [maker.chance(0.7) ? maker.bits(random.below(200)) : maker.builder()]
      : []
    return [...below, ...parts]
  }
  return undefined
}

const infinity = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  bytes[0] = 0xc0
  return bytes
}
