import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { bytesToBigint, concatBytes } from '../../../primitives/bytes.ts'
import { sha256 } from '../../../primitives/sha256.ts'
import {
  aggregateBls,
  BLS_ORDER,
  type BlsGroup,
  checkEd25519,
  checkP256,
  checkPairings,
  combineRistretto,
  G1,
  G1_BYTES,
  G2,
  G2_BYTES,
  isRistretto,
  multiplyRistretto,
  RISTRETTO_ORDER,
  recoverSecp256k1,
  ristrettoFromHash,
  tweakSecp256k1,
  verifyBls,
  verifyBlsTogether,
} from '../curves.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, fault, RANGE_CHECK, TYPE_CHECK, UNKNOWN_ERROR } from '../faults.ts'
import { fitsUnsigned, isNan, toBig } from '../integers.ts'
import { Builder, type Integer, Slice } from '../values.ts'
import type { Vm } from '../Vm.ts'
import { finish } from './cellBuilding.ts'
import { hashInteger, integerBytes } from './cellReading.ts'
import { type Instruction, op, op1, type RunInstruction } from './decode.ts'

const load = createRequire(import.meta.url)
type Sha3Module = typeof import('@noble/hashes/sha3.js')

/** 32 bytes of an integer that must be from 0 to 2^256 − 1. */
const bytes32 = (x: Integer): Uint8Array => (fitsUnsigned(x, 256) ? integerBytes(x, 32) : fault(RANGE_CHECK))

/** The first bytes of a slice, which must have so many. */
const firstBytes = (slice: Slice, length: number): Uint8Array =>
  slice.bits < 8 * length ? fault(CELL_UNDERFLOW) : slice.toBytes(length)

/** The bytes of a slice that must consist of whole ones. */
const wholeBytes = (slice: Slice): Uint8Array => (slice.bits % 8 === 0 ? slice.toBytes() : fault(CELL_UNDERFLOW))

// --- hashes

type HashKind = { readonly name: string; readonly bytesPerGas: number; readonly hash: (bytes: Uint8Array) => Uint8Array }

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

const popSigned = (vm: Vm, isSlice: boolean): Uint8Array =>
  isSlice ? wholeBytes(vm.popSlice()) : bytes32(vm.popInt())

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
  if (point === undefined) return vm.push(0)
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

const ristrettoInstructions = [
  ['VALIDATE', 0x21, validateRistretto],
  ['ADD', 0x22, addRistretto(false)],
  ['SUB', 0x23, addRistretto(true)],
  ['MUL', 0x24, multiplyByScalar],
  ['MULBASE', 0x25, multiplyBase],
] as const

// --- BLS12-381

const pushBytes = (vm: Vm, bytes: Uint8Array | undefined): void =>
  vm.push(Slice.of(Builder.empty.withBytes(bytes ?? fault(UNKNOWN_ERROR)).toCell()))

/** The number of terms, each of `perTerm` values, that stand below it. */
const popTerms = (vm: Vm, perTerm: number, min = 0): number =>
  vm.popSmall(Math.floor((vm.stack.length - 1) / perTerm), min)

const repeatPop = <T>(count: number, pop: () => T): T[] => Array.from({ length: count }, pop).reverse()

const multiexpGas = (n: number, base: number, each: number, shared: number): number => {
  let log = 4
  while (2 ** (log + 1) <= n) log++
  return base + n * each + Math.floor((n * shared) / log)
}

type GroupGas = {
  readonly add: number
  readonly negate: number
  readonly multiply: number
  readonly map: number
  readonly contains: number
  readonly multiexp: readonly [base: number, each: number, shared: number]
}

const groupInstructions = (name: string, opcode: number, group: BlsGroup, gas: GroupGas): Instruction[] => {
  const popPoint = (vm: Vm): Uint8Array => firstBytes(vm.popSlice(), group.bytes)
  const since = { since: 4 }
  const combine =
    (run: BlsGroup['add']): RunInstruction =>
    (vm) => {
      vm.need(2)
      vm.gas.charge(gas.add)
      const b = popPoint(vm)
      const a = popPoint(vm)
      pushBytes(vm, run(a, b))
    }
  return [
    op1(`BLS_${name}_ADD`, opcode, 24, combine(group.add), since),
    op1(`BLS_${name}_SUB`, opcode + 1, 24, combine(group.subtract), since),
    op1(
      `BLS_${name}_NEG`,
      opcode + 2,
      24,
      (vm) => {
        vm.gas.charge(gas.negate)
        pushBytes(vm, group.negate(popPoint(vm)))
      },
      since,
    ),
    op1(
      `BLS_${name}_MUL`,
      opcode + 3,
      24,
      (vm) => {
        vm.need(2)
        vm.gas.charge(gas.multiply)
        const scalar = toBig(vm.popFinite())
        pushBytes(vm, group.multiply(popPoint(vm), scalar))
      },
      since,
    ),
    op1(
      `BLS_${name}_MULTIEXP`,
      opcode + 4,
      24,
      (vm) => {
        const count = popTerms(vm, 2)
        vm.gas.charge(multiexpGas(count, ...gas.multiexp))
        const terms = repeatPop(count, (): readonly [Uint8Array, bigint] => {
          const scalar = toBig(vm.popFinite())
          return [popPoint(vm), scalar]
        })
        pushBytes(vm, count === 1 ? group.multiply(...terms[0]!) : group.multiplySum(terms))
      },
      since,
    ),
    op1(`BLS_${name}_ZERO`, opcode + 5, 24, (vm) => pushBytes(vm, group.zero()), since),
    op1(
      `BLS_MAP_TO_${name}`,
      opcode + 6,
      24,
      (vm) => {
        vm.gas.charge(gas.map)
        pushBytes(vm, group.map(popPoint(vm)))
      },
      since,
    ),
    op1(
      `BLS_${name}_INGROUP`,
      opcode + 7,
      24,
      (vm) => {
        vm.gas.charge(gas.contains)
        vm.pushBool(group.contains(popPoint(vm)))
      },
      since,
    ),
    op1(
      `BLS_${name}_ISZERO`,
      opcode + 8,
      24,
      (vm) => vm.pushBool(bytesToBigint(popPoint(vm)) === bytesToBigint(group.zero())),
      since,
    ),
  ]
}

const blsInstructions: readonly Instruction[] = [
  op1(
    'BLS_VERIFY',
    0xf93000,
    24,
    (vm) => {
      vm.need(3)
      vm.gas.charge(61000)
      const signature = firstBytes(vm.popSlice(), G2_BYTES)
      const message = wholeBytes(vm.popSlice())
      const key = firstBytes(vm.popSlice(), G1_BYTES)
      vm.pushBool(verifyBls([[key, message]], signature))
    },
    { since: 4 },
  ),
  op1(
    'BLS_AGGREGATE',
    0xf93001,
    24,
    (vm) => {
      const count = popTerms(vm, 1, 1)
      vm.gas.charge(-2650 + 4350 * count)
      pushBytes(vm, aggregateBls(repeatPop(count, () => firstBytes(vm.popSlice(), G2_BYTES))))
    },
    { since: 4 },
  ),
  op1(
    'BLS_FASTAGGREGATEVERIFY',
    0xf93002,
    24,
    (vm) => {
      vm.need(3)
      const signature = vm.popSlice()
      const message = vm.popSlice()
      const count = popTerms(vm, 1)
      vm.gas.charge(58000 + 3000 * count)
      const keys = repeatPop(count, () => firstBytes(vm.popSlice(), G1_BYTES))
      vm.pushBool(verifyBlsTogether(keys, wholeBytes(message), firstBytes(signature, G2_BYTES)))
    },
    { since: 4 },
  ),
  op1(
    'BLS_AGGREGATEVERIFY',
    0xf93003,
    24,
    (vm) => {
      vm.need(2)
      const signature = vm.popSlice()
      const count = popTerms(vm, 2)
      vm.gas.charge(38500 + 22500 * count)
      const pairs = repeatPop(count, (): readonly [Uint8Array, Uint8Array] => {
        const message = wholeBytes(vm.popSlice())
        return [firstBytes(vm.popSlice(), G1_BYTES), message]
      })
      vm.pushBool(verifyBls(pairs, firstBytes(signature, G2_BYTES)))
    },
    { since: 4 },
  ),
  ...groupInstructions('G1', 0xf93010, G1, {
    add: 3900,
    negate: 750,
    multiply: 5200,
    map: 2350,
    contains: 2950,
    multiexp: [11375, 630, 8820],
  }),
  ...groupInstructions('G2', 0xf93020, G2, {
    add: 6100,
    negate: 1550,
    multiply: 10550,
    map: 7950,
    contains: 4250,
    multiexp: [30388, 1280, 22840],
  }),
  op1(
    'BLS_PAIRING',
    0xf93030,
    24,
    (vm) => {
      const count = popTerms(vm, 2)
      vm.gas.charge(20000 + 11800 * count)
      const pairs = repeatPop(count, (): readonly [Uint8Array, Uint8Array] => {
        const second = firstBytes(vm.popSlice(), G2_BYTES)
        return [firstBytes(vm.popSlice(), G1_BYTES), second]
      })
      vm.pushBool(checkPairings(pairs) ?? fault(UNKNOWN_ERROR))
    },
    { since: 4 },
  ),
  op1('BLS_PUSHR', 0xf93031, 24, (vm) => vm.push(BLS_ORDER), { since: 4 }),
]

export const cryptoInstructions: readonly Instruction[] = [
  op1('HASHCU', 0xf900, 16, (vm) => vm.push(hashInteger(vm.popCell().hash()))),
  op1('HASHSU', 0xf901, 16, (vm) => vm.push(hashInteger(vm.createCell(Builder.empty.withSlice(vm.popSlice())).hash()))),
  op1('SHA256U', 0xf902, 16, (vm) => vm.push(hashInteger(sha256(wholeBytes(vm.popSlice()))))),
  ...hashInstructions.map(([name, opcode, reversed, appends]) =>
    op(name, opcode * 256, opcode * 256 + 255, 24, hashExtended(reversed, appends), { since: 4, operands: 'u8' }),
  ),
  op1('CHKSIGNU', 0xf910, 16, checkSignature(false)),
  op1('CHKSIGNS', 0xf911, 16, checkSignature(true)),
  op1('ECRECOVER', 0xf912, 16, recover, { since: 4 }),
  op1('SECP256K1_XONLY_PUBKEY_TWEAK_ADD', 0xf913, 16, tweak, { since: 9 }),
  op1('P256_CHKSIGNU', 0xf914, 16, checkP256Signature(false), { since: 4 }),
  op1('P256_CHKSIGNS', 0xf915, 16, checkP256Signature(true), { since: 4 }),
  op1('HASHBU', 0xf916, 16, (vm) => vm.push(hashInteger(finish(vm.popBuilder()).hash())), { since: 12 }),
  op1(
    'RIST255_FROMHASH',
    0xf920,
    16,
    (vm) => {
      vm.need(2)
      const second = vm.popInt()
      const first = vm.popInt()
      vm.gas.charge(600)
      vm.push(hashInteger(ristrettoFromHash(concatBytes([bytes32(first), bytes32(second)]))))
    },
    { since: 4 },
  ),
  ...ristrettoInstructions.flatMap(([name, low, make]) => [
    op1(`RIST255_${name}`, 0xf900 + low, 16, make(false), { since: 4 }),
    op1(`RIST255_Q${name}`, 0xb7f900 + low, 24, make(true), { since: 4 }),
  ]),
  op1('RIST255_PUSHL', 0xf926, 16, (vm) => vm.push(RISTRETTO_ORDER), { since: 4 }),
  ...blsInstructions,
]
