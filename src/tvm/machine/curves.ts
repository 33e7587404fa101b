import { createPublicKey, verify } from 'node:crypto'
import { createRequire } from 'node:module'
import { bytesToBigint, concatBytes } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'

/** Elliptic curves of the crypto instructions. Libraries are loaded when the first contract needs them: few ever do. */

const load = createRequire(import.meta.url)

const lazy = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

type SecpModule = typeof import('@noble/curves/secp256k1.js')
type EdwardsModule = typeof import('@noble/curves/ed25519.js')
type BlsModule = typeof import('@noble/curves/bls12-381.js')

const secp = lazy(() => (load('@noble/curves/secp256k1.js') as SecpModule).secp256k1)
const edwards = lazy(() => load('@noble/curves/ed25519.js') as EdwardsModule)
const bls = lazy(() => (load('@noble/curves/bls12-381.js') as BlsModule).bls12_381)

// --- signatures by the runtime's OpenSSL, which the reference uses, too

const ED25519_SPKI = fromHex('302a300506032b6570032100', 12)
const P256_SPKI = fromHex('3039301306072a8648ce3d020106082a8648ce3d030107032200', 26)

export const checkEd25519 = (data: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean => {
  try {
    const publicKey = createPublicKey({
      key: Buffer.from(concatBytes([ED25519_SPKI, key])),
      format: 'der',
      type: 'spki',
    })
    return verify(null, data, publicKey, signature)
  } catch {
    return false
  }
}

export const checkP256 = (data: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean => {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(concatBytes([P256_SPKI, key])), format: 'der', type: 'spki' })
    return verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

// --- secp256k1

/** The public key that made a signature, as 65 bytes; `undefined` where there is none. */
export const recoverSecp256k1 = (hash: Uint8Array, recovery: number, r: bigint, s: bigint): Uint8Array | undefined => {
  const { Point } = secp()
  const { Fn, Fp } = Point
  if (recovery > 3 || r === 0n || s === 0n || r >= Fn.ORDER || s >= Fn.ORDER) return undefined
  const x = (recovery & 2) === 0 ? r : r + Fn.ORDER
  if (x >= Fp.ORDER) return undefined
  try {
    const start = Point.fromBytes(concatBytes([Uint8Array.of(2 + (recovery & 1)), Fp.toBytes(x)]))
    const inverse = Fn.inv(r)
    const toStart = Fn.mul(s, inverse)
    const toBase = Fn.neg(Fn.mul(Fn.create(bytesToBigint(hash)), inverse))
    const key = start.multiplyUnsafe(toStart).add(Point.BASE.multiplyUnsafe(toBase))
    return key.is0() ? undefined : key.toBytes(false)
  } catch {
    return undefined
  }
}

/** An x-only public key plus a tweak, as 65 bytes. */
export const tweakSecp256k1 = (key: Uint8Array, tweak: bigint): Uint8Array | undefined => {
  const { Point } = secp()
  if (tweak >= Point.Fn.ORDER) return undefined
  try {
    const even = Point.fromBytes(concatBytes([Uint8Array.of(2), key]))
    const tweaked = even.add(Point.BASE.multiplyUnsafe(tweak))
    return tweaked.is0() ? undefined : tweaked.toBytes(false)
  } catch {
    return undefined
  }
}

// --- Ristretto255

export const RISTRETTO_ORDER = (1n << 252n) + 27742317777372353535851937790883648493n

type RistrettoPoint = InstanceType<EdwardsModule['ristretto255']['Point']>

const decodeRistretto = (bytes: Uint8Array): RistrettoPoint | undefined => {
  try {
    return edwards().ristretto255.Point.fromBytes(bytes)
  } catch {
    return undefined
  }
}

export const isRistretto = (bytes: Uint8Array): boolean => decodeRistretto(bytes) !== undefined

export const ristrettoFromHash = (bytes: Uint8Array): Uint8Array =>
  edwards().ristretto255_hasher.deriveToCurve!(bytes).toBytes()

export const combineRistretto = (x: Uint8Array, y: Uint8Array, subtracts: boolean): Uint8Array | undefined => {
  const a = decodeRistretto(x)
  const b = decodeRistretto(y)
  if (a === undefined || b === undefined) return undefined
  return (subtracts ? a.subtract(b) : a.add(b)).toBytes()
}

/** `scalar` is from 1 to the order less one; without a point the base is taken. */
export const multiplyRistretto = (scalar: bigint, point?: Uint8Array): Uint8Array | undefined => {
  const base = point === undefined ? edwards().ristretto255.Point.BASE : decodeRistretto(point)
  return base?.multiplyUnsafe(scalar).toBytes()
}

// --- BLS12-381

export const BLS_ORDER = 52435875175126190479447740508185965837690552500527637822603658699938581184513n
const DOMAIN = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

export const G1_BYTES = 48
export const G2_BYTES = 96

type G1Point = InstanceType<ReturnType<typeof bls>['G1']['Point']>
type G2Point = InstanceType<ReturnType<typeof bls>['G2']['Point']>

/** First three bits of a compressed point. */
type PointFlags = { readonly isInfinity: boolean; readonly isGreater: boolean; readonly body: Uint8Array }

/** `undefined` where it is not the compressed form of a point. */
const readFlags = (bytes: Uint8Array): PointFlags | undefined => {
  const first = bytes[0]!
  if ((first & 0x80) === 0) return undefined
  const body = bytes.slice()
  body[0] = first & 0x1f
  const isInfinity = (first & 0x40) !== 0
  const isGreater = (first & 0x20) !== 0
  if (isInfinity && (isGreater || body.some((byte) => byte !== 0))) return undefined
  return { isInfinity, isGreater, body }
}

/** A point of the curve that need not be in the subgroup of prime order. */
const decodeG1 = (bytes: Uint8Array): G1Point | undefined => {
  const flags = readFlags(bytes)
  if (flags === undefined) return undefined
  const { Point } = bls().G1
  const { Fp } = bls().fields
  if (flags.isInfinity) return Point.ZERO
  const x = bytesToBigint(flags.body)
  if (x >= Fp.ORDER) return undefined
  try {
    const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), 4n))
    return Point.fromAffine({ x, y: 2n * y > Fp.ORDER === flags.isGreater ? y : Fp.neg(y) })
  } catch {
    return undefined
  }
}

const decodeG2 = (bytes: Uint8Array): G2Point | undefined => {
  const flags = readFlags(bytes)
  if (flags === undefined) return undefined
  const { Point } = bls().G2
  const { Fp, Fp2 } = bls().fields
  if (flags.isInfinity) return Point.ZERO
  const c1 = bytesToBigint(flags.body.subarray(0, G1_BYTES))
  const c0 = bytesToBigint(flags.body.subarray(G1_BYTES))
  if (c0 >= Fp.ORDER || c1 >= Fp.ORDER) return undefined
  try {
    const x = { c0, c1 }
    const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), { c0: 4n, c1: 4n }))
    const isGreater = y.c1 === 0n ? 2n * y.c0 > Fp.ORDER : 2n * y.c1 > Fp.ORDER
    return Point.fromAffine({ x, y: isGreater === flags.isGreater ? y : Fp2.neg(y) })
  } catch {
    return undefined
  }
}

/** One of the two groups: what their instructions have in common. */
export type BlsGroup = {
  readonly bytes: number
  zero(): Uint8Array
  add(a: Uint8Array, b: Uint8Array): Uint8Array | undefined
  subtract(a: Uint8Array, b: Uint8Array): Uint8Array | undefined
  negate(a: Uint8Array): Uint8Array | undefined
  multiply(point: Uint8Array, scalar: bigint): Uint8Array | undefined
  multiplySum(terms: readonly (readonly [Uint8Array, bigint])[]): Uint8Array | undefined
  map(field: Uint8Array): Uint8Array
  contains(point: Uint8Array): boolean
}

/** What is used of a point, the same for both groups. */
interface AnyPoint<P> {
  add(other: P): P
  negate(): P
  is0(): boolean
  isTorsionFree(): boolean
  multiplyUnsafe(scalar: bigint): P
  toBytes(isCompressed?: boolean): Uint8Array
}

/** The library writes the point at infinity only in the form in which it makes it itself, not as a result of a computation. */
const encodePoint = <P extends AnyPoint<P>>(point: P, zero: P): Uint8Array => (point.is0() ? zero : point).toBytes()

const makeGroup = <P extends AnyPoint<P>>(
  bytes: number,
  decode: (bytes: Uint8Array) => P | undefined,
  zero: () => P,
  map: (field: Uint8Array) => P,
): BlsGroup => {
  const encode = (point: P): Uint8Array => encodePoint(point, zero())
  /** The second operand of a sum must be in the subgroup. */
  const sum = (first: P | undefined, second: P | undefined): Uint8Array | undefined =>
    first === undefined || second === undefined || !isInGroup(second) ? undefined : encode(first.add(second))
  const isInGroup = (point: P): boolean => point.is0() || point.isTorsionFree()
  const multiply = (point: P, scalar: bigint): P => {
    const reduced = ((scalar % BLS_ORDER) + BLS_ORDER) % BLS_ORDER
    return reduced === 0n || point.is0() ? zero() : point.multiplyUnsafe(reduced)
  }
  return {
    bytes,
    zero: () => zero().toBytes(),
    add: (a, b) => sum(decode(a), decode(b)),
    subtract: (a, b) => sum(decode(b)?.negate(), decode(a)),
    negate: (a) => {
      const decoded = decode(a)
      return decoded && encode(decoded.negate())
    },
    multiply: (point, scalar) => {
      if (scalar === 0n) return zero().toBytes()
      const decoded = decode(point)
      return decoded && encode(multiply(decoded, scalar))
    },
    multiplySum: (terms) => {
      let total = zero()
      for (const [point, scalar] of terms) {
        const decoded = decode(point)
        if (decoded === undefined) return undefined
        total = total.add(multiply(decoded, scalar))
      }
      return encode(total)
    },
    map: (field) => encode(map(field)),
    contains: (point) => {
      const decoded = decode(point)
      return decoded !== undefined && isInGroup(decoded)
    },
  }
}

const reduceField = (bytes: Uint8Array): bigint => bytesToBigint(bytes) % bls().fields.Fp.ORDER

export const G1: BlsGroup = makeGroup<G1Point>(
  G1_BYTES,
  decodeG1,
  () => bls().G1.Point.ZERO,
  (field) => bls().G1.mapToCurve(reduceField(field) as never) as unknown as G1Point,
)

export const G2: BlsGroup = makeGroup<G2Point>(
  G2_BYTES,
  decodeG2,
  () => bls().G2.Point.ZERO,
  (field) =>
    bls().G2.mapToCurve([
      reduceField(field.subarray(0, G1_BYTES)),
      reduceField(field.subarray(G1_BYTES)),
    ]) as unknown as G2Point,
)

const productIsOne = (pairs: readonly { readonly g1: G1Point; readonly g2: G2Point }[]): boolean => {
  const { pairingBatch, fields } = bls()
  const real = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  return real.length === 0 || fields.Fp12.eql(pairingBatch(real), fields.Fp12.ONE)
}

/** Whether the product of the pairings is one; `undefined` for malformed points. */
export const checkPairings = (pairs: readonly (readonly [Uint8Array, Uint8Array])[]): boolean | undefined => {
  const decoded: { g1: G1Point; g2: G2Point }[] = []
  for (const [first, second] of pairs) {
    const g1 = decodeG1(first)
    const g2 = decodeG2(second)
    if (g1 === undefined || g2 === undefined) return undefined
    decoded.push({ g1, g2 })
  }
  return productIsOne(decoded)
}

/** One signature over several messages, each by its own key. */
export const verifyBls = (
  keysAndMessages: readonly (readonly [key: Uint8Array, message: Uint8Array])[],
  signature: Uint8Array,
): boolean => {
  const signed = decodeG2(signature)
  if (keysAndMessages.length === 0 || signed === undefined || !(signed.is0() || signed.isTorsionFree())) return false
  const pairs = [{ g1: bls().G1.Point.BASE.negate() as G1Point, g2: signed }]
  for (const [keyBytes, message] of keysAndMessages) {
    const key = decodeG1(keyBytes)
    if (key === undefined || key.is0() || !key.isTorsionFree()) return false
    pairs.push({ g1: key, g2: bls().G2.hashToCurve(message, { DST: DOMAIN }) as unknown as G2Point })
  }
  return productIsOne(pairs)
}

/** One signature over one message by all keys together. */
export const verifyBlsTogether = (keys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean => {
  let total: G1Point | undefined
  for (const bytes of keys) {
    const key = decodeG1(bytes)
    if (key === undefined || key.is0()) return false
    // All but the first are checked when they are added, the sum by the verification.
    if (total !== undefined && !key.isTorsionFree()) return false
    total = total === undefined ? key : total.add(key)
  }
  return total !== undefined && !total.is0() && verifyBls([[total.toBytes(), message]], signature)
}

export const aggregateBls = (signatures: readonly Uint8Array[]): Uint8Array | undefined => {
  let total: G2Point | undefined
  for (const bytes of signatures) {
    const signature = decodeG2(bytes)
    if (signature === undefined) return undefined
    if (total !== undefined && !(signature.is0() || signature.isTorsionFree())) return undefined
    total = total === undefined ? signature : total.add(signature)
  }
  return total && encodePoint(total, bls().G2.Point.ZERO)
}
