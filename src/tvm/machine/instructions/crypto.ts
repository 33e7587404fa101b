import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { concatBytes } from '../../../primitives/bytes.ts'
import { sha256 } from '../../../primitives/hash.ts'
import {
  checkEd25519,
  checkP256,
  combineRistretto,
  isRistretto,
  multiplyRistretto,
  RISTRETTO_ORDER,
  recoverSecp256k1,
  ristrettoFromHash,
  tweakSecp256k1,
} from '../curves.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, fault, RANGE_CHECK, TYPE_CHECK } from '../faults.ts'
import { fitsUnsigned, isNan, toBig } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { Builder, type Integer, Slice } from '../values.ts'
import { finish } from './cellBuilding.ts'
import { hashInteger, integerBytes } from './cellReading.ts'
import { op, op1, slow } from './decode.ts'

const load = createRequire(import.meta.url)
type Sha3Module = typeof import('@noble/hashes/sha3.js')

/** 32 bytes of an integer that must be from 0 to 2^256 − 1. */
const bytes32 = (x: Integer): Uint8Array => (fitsUnsigned(x, 256) ? integerBytes(x, 32) : fault(RANGE_CHECK))

/** The first bytes of a slice, which must have so many. */
export const firstBytes = (slice: Slice, length: number): Uint8Array =>
  slice.bits < 8 * length ? fault(CELL_UNDERFLOW) : slice.toBytes(length)

/** The bytes of a slice that must consist of whole ones. */
export const wholeBytes = (slice: Slice): Uint8Array => (slice.bits % 8 === 0 ? slice.toBytes() : fault(CELL_UNDERFLOW))

// --- hashes

type HashKind = {
  readonly name: string
  readonly bytesPerGas: number
  readonly hash: (bytes: Uint8Array) => Uint8Array
}

const HASHES: readonly HashKind[] = [
  { name: 'SHA256', bytesPerGas: 33, hash: sha256 },
  { name: 'SHA512', bytesPerGas: 16, hash: (bytes) => createHash('sha512').update(bytes).digest() },
  { name: 'BLAKE2B', bytesPerGas: 19, hash: (bytes) => createHash('blake2b512').update(bytes).digest() },
  {
    name: 'KECCAK256',
    bytesPerGas: 11,
    hash: (bytes) => (load('@noble/hashes/sha3.js') as Sha3Module).keccak_256(bytes),
  },
  {
    name: 'KECCAK512',
    bytesPerGas: 6,
    hash: (bytes) => (load('@noble/hashes/sha3.js') as Sha3Module).keccak_512(bytes),
  },
]

const IDS_FROM_STACK = 255

const hashExtended =
  (reversed: boolean, appends: boolean): RunInstruction =>
  (vm, word) => {
    let id = word & 255
    if (id === IDS_FROM_STACK) {
      if (vm.version >= 9) vm.need(2)
      id = vm.popSmall(254)
    }
    const count = vm.popSmall(vm.stack.length - 1 - (vm.version >= 9 && appends ? 1 : 0))
    const kind = HASHES[id] ?? fault(RANGE_CHECK)
    const bytes = collectParts(vm, count, reversed, kind.bytesPerGas)
    const hash = kind.hash(bytes)
    if (appends) {
      const builder = vm.popBuilder()
      vm.push(builder.hasRoom(8 * hash.length) ? builder.withBytes(hash) : fault(CELL_OVERFLOW))
    } else if (hash.length <= 32) vm.push(hashInteger(hash))
    else vm.push([hashInteger(hash.subarray(0, 32)), hashInteger(hash.subarray(32))])
  }

/** The bits of the top `count` slices and builders one after another; each part is charged before it is taken. */
const collectParts = (vm: Vm, count: number, reversed: boolean, bytesPerGas: number): Uint8Array => {
  const parts = vm.takeTop(count)
  if (reversed) parts.reverse()
  const chunks: Slice[] = []
  let bits = 0
  let charged = 0
  for (const [k, part] of parts.entries()) {
    const chunk = part instanceof Slice ? part : part instanceof Builder ? bitsOf(part) : fault(TYPE_CHECK)
    bits += chunk.bits
    const total = k + 1 + Math.floor(Math.floor(bits / 8) / bytesPerGas)
    vm.gas.charge(total - charged)
    charged = total
    chunks.push(chunk)
  }
  if (bits % 8 !== 0) fault(CELL_UNDERFLOW)
  return joinBits(chunks, bits)
}

const bitsOf = (builder: Builder): Slice => Slice.of(Builder.empty.withBits(builder.bytes, 0, builder.bits).toCell())

const joinBits = (chunks: readonly Slice[], bits: number): Uint8Array => {
  if (chunks.every((chunk) => chunk.bits % 8 === 0)) return concatBytes(chunks.map((chunk) => chunk.toBytes()))
  const out = new Uint8Array(bits / 8)
  let at = 0
  for (const chunk of chunks) {
    for (let k = 0; k < chunk.bits; k++, at++) if (chunk.small(1, k) === 1) out[at >> 3]! |= 0x80 >> (at & 7)
  }
  return out
}

const hashInstructions = [
  ['HASHEXT', 0xf904, false, false],
  ['HASHEXTR', 0xf905, true, false],
  ['HASHEXTA', 0xf906, false, true],
  ['HASHEXTAR', 0xf907, true, true],
] as const

// --- signatures

const FREE_SIGNATURE_CHECKS = 10
const SIGNATURE_GAS = 4000

const chargeSignature = (vm: Vm): void => {
  if (vm.version < 4) return
  const { counters } = vm.env
  if (++counters.signatureChecks > FREE_SIGNATURE_CHECKS) vm.gas.charge(SIGNATURE_GAS)
  else counters.freeGas += SIGNATURE_GAS
}

/** Keys of which it is known that everybody can sign for them: all zeros, and the neutral element. */
const isWeakKey = (key: Uint8Array): boolean => key[0]! <= 1 && key.subarray(1).every((byte) => byte === 0)

const popSigned = (vm: Vm, isSlice: boolean): Uint8Array => (isSlice ? wholeBytes(vm.popSlice()) : bytes32(vm.popInt()))

const checkSignature =
  (isSlice: boolean): RunInstruction =>
  (vm) => {
    vm.need(3)
    const keyInteger = vm.popInt()
    const signatureSlice = vm.popSlice()
    const data = popSigned(vm, isSlice)
    const signature = firstBytes(signatureSlice, 64)
    const key = bytes32(keyInteger)
    chargeSignature(vm)
    const isRight = !(vm.version >= 14 && isWeakKey(key)) && checkEd25519(data, signature, key)
    vm.pushBool(isRight || vm.env.ignoreSignatures)
  }

const checkP256Signature =
  (isSlice: boolean): RunInstruction =>
  (vm) => {
    vm.need(3)
    const keySlice = vm.popSlice()
    const signatureSlice = vm.popSlice()
    const data = popSigned(vm, isSlice)
    const signature = firstBytes(signatureSlice, 64)
    const key = firstBytes(keySlice, 33)
    vm.gas.charge(3500)
    vm.pushBool(checkP256(data, signature, key) || vm.env.ignoreSignatures)
  }

/** Pushes the two coordinates of a point in its long form, or 0. */
const pushPoint = (vm: Vm, point: Uint8Array | undefined): void => {
  if (point === undefined) {
    vm.push(0)
    return
  }
  vm.push(point[0]!)
  vm.push(hashInteger(point.subarray(1, 33)))
  vm.push(hashInteger(point.subarray(33)))
  vm.push(-1)
}

const recover: RunInstruction = (vm) => {
  vm.need(4)
  const s = vm.popInt()
  const r = vm.popInt()
  const given = vm.popSmall(255)
  const hash = vm.popInt()
  bytes32(r)
  bytes32(s)
  const recovery = vm.version >= 14 && (given === 27 || given === 28) ? given - 27 : given
  const bytes = bytes32(hash)
  vm.gas.charge(1500)
  pushPoint(vm, recoverSecp256k1(bytes, recovery, toBig(r), toBig(s)))
}

const tweak: RunInstruction = (vm) => {
  vm.need(2)
  const amount = vm.popInt()
  const key = bytes32(vm.popInt())
  bytes32(amount)
  vm.gas.charge(1250)
  pushPoint(vm, tweakSecp256k1(key, toBig(amount)))
}

// --- Ristretto255

/** Pushes a result and, for the quiet forms, whether there is one. */
const pushRistretto = (vm: Vm, result: Uint8Array | undefined, quiet: boolean): void => {
  if (result === undefined && !quiet) fault(RANGE_CHECK)
  if (result !== undefined) vm.push(hashInteger(result))
  if (quiet) vm.pushBool(result !== undefined)
}

const element = (x: Integer): Uint8Array | undefined => (fitsUnsigned(x, 256) ? integerBytes(x, 32) : undefined)

const validateRistretto =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    const bytes = element(vm.popInt())
    vm.gas.charge(200)
    const isValid = bytes !== undefined && isRistretto(bytes)
    if (quiet) vm.pushBool(isValid)
    else if (!isValid) fault(RANGE_CHECK)
  }

const addRistretto =
  (subtracts: boolean) =>
  (quiet: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    const y = element(vm.popInt())
    const x = element(vm.popInt())
    vm.gas.charge(600)
    pushRistretto(vm, x && y && combineRistretto(x, y, subtracts), quiet)
  }

const reduce = (x: Integer): bigint => ((toBig(x) % RISTRETTO_ORDER) + RISTRETTO_ORDER) % RISTRETTO_ORDER

const ZERO_ELEMENT = new Uint8Array(32)

const multiplyByScalar =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    const scalar = vm.popInt()
    const x = vm.popInt()
    vm.gas.charge(2000)
    pushRistretto(vm, scaled(vm.version, x, scalar), quiet)
  }

const scaled = (version: number, x: Integer, scalar: Integer): Uint8Array | undefined => {
  if (isNan(scalar)) return undefined
  const n = reduce(scalar)
  const point = element(x)
  if (version < 14) {
    if (n === 0n) return ZERO_ELEMENT
    // Older versions take the neutral element as a result for a failure.
    const product = point && multiplyRistretto(n, point)
    return product?.some((byte) => byte !== 0) === true ? product : undefined
  }
  if (point === undefined || !isRistretto(point)) return undefined
  return n === 0n || x === 0 ? ZERO_ELEMENT : multiplyRistretto(n, point)
}

const multiplyBase =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    const scalar = vm.popInt()
    vm.gas.charge(750)
    if (isNan(scalar)) return pushRistretto(vm, undefined, quiet)
    const n = reduce(scalar)
    pushRistretto(vm, n === 0n ? ZERO_ELEMENT : multiplyRistretto(n), quiet)
  }

const fromHash: RunInstruction = (vm) => {
  vm.need(2)
  const second = vm.popInt()
  const first = vm.popInt()
  vm.gas.charge(600)
  vm.push(hashInteger(ristrettoFromHash(concatBytes([bytes32(first), bytes32(second)]))))
}

const ristrettoInstructions = [
  ['VALIDATE', 0x21, validateRistretto],
  ['ADD', 0x22, addRistretto(false)],
  ['SUB', 0x23, addRistretto(true)],
  ['MUL', 0x24, multiplyByScalar],
  ['MULBASE', 0x25, multiplyBase],
] as const

export const cryptoInstructions: readonly Instruction[] = [
  op1('HASHCU', 0xf900, 16, (vm) => vm.push(hashInteger(vm.popCell().hash()))),
  op1('HASHSU', 0xf901, 16, (vm) => vm.push(hashInteger(vm.createCell(Builder.empty.withSlice(vm.popSlice())).hash()))),
  op1('SHA256U', 0xf902, 16, (vm) => vm.push(hashInteger(sha256(wholeBytes(vm.popSlice()))))),
  ...hashInstructions.map(([name, opcode, reversed, appends]) =>
    op(name, opcode * 256, opcode * 256 + 255, 24, { since: 4, operands: 'u8any' }, hashExtended(reversed, appends)),
  ),
  op1('CHKSIGNU', 0xf910, 16, checkSignature(false)),
  op1('CHKSIGNS', 0xf911, 16, checkSignature(true)),
  slow(op1('ECRECOVER', 0xf912, 16, { since: 4 }, recover)),
  slow(op1('SECP256K1_XONLY_PUBKEY_TWEAK_ADD', 0xf913, 16, { since: 9 }, tweak)),
  op1('P256_CHKSIGNU', 0xf914, 16, { since: 4 }, checkP256Signature(false)),
  op1('P256_CHKSIGNS', 0xf915, 16, { since: 4 }, checkP256Signature(true)),
  op1('HASHBU', 0xf916, 16, { since: 12 }, (vm) => vm.push(hashInteger(finish(vm.popBuilder()).hash()))),
  slow(op1('RIST255_FROMHASH', 0xf920, 16, { since: 4 }, fromHash)),
  ...ristrettoInstructions.flatMap(([name, low, make]) => [
    slow(op1(`RIST255_${name}`, 0xf900 + low, 16, { since: 4 }, make(false))),
    slow(op1(`RIST255_Q${name}`, 0xb7f900 + low, 24, { since: 4 }, make(true))),
  ]),
  op1('RIST255_PUSHL', 0xf926, 16, { since: 4 }, (vm) => vm.push(RISTRETTO_ORDER)),
]
