import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict, type DictType } from '../../src/codec/cell/Dict.ts'
import { cellValue, uintKey } from '../../src/codec/cell/dictTypes.ts'
import { getMethodId } from '../../src/codec/tlb/VmValue.ts'
import { fromHex } from '../../src/primitives/hex.ts'

/** Bytes of instructions in one code cell; the rest continues in its reference, to which the machine jumps at the end. */
const CELL_BYTES = 100

/** Machine code of any length. Instructions in hexadecimal digits, each whole, so that no cell ends within one. */
const assemble = (instructions: readonly string[], ...refs: readonly Cell[]): Cell => {
  const parts: string[] = ['']
  for (const instruction of instructions.map((text) => text.replaceAll(' ', ''))) {
    if (parts.at(-1)!.length + instruction.length > 2 * CELL_BYTES) parts.push('')
    parts[parts.length - 1] += instruction
  }
  return parts.reduceRight<Cell | undefined>((rest, part) => {
    const w = new CellWriter().writeBytes(fromHex(part))
    for (const ref of rest === undefined ? refs : [rest]) w.writeRef(ref)
    return w.toCell()
  }, undefined)!
}

const repeat = (count: number, ...instructions: readonly string[]): string[] =>
  Array.from({ length: count }, () => instructions).flat()

/** PUSHINT of 16 bits. */
const pushInt = (value: number): string => `81${value.toString(16).padStart(4, '0')}`

/** DUP, TUPLE 2, so many times: a result of `2 ** levels` values from `levels` tuples, for about 45 gas a level. */
const sharedTuple = (levels = 26): Cell => assemble(['71', ...repeat(levels, '20', '6F02')])

/** A tuple of 255 entries, each the same tuple of 255 entries, and so on: 255 times NULL or the last tuple, then TUPLEVAR. */
const wideTuples = (levels = 2): Cell =>
  // PUSHNULL, then: PUSHINT 254, PUSHCONT { DUP }, REPEAT, PUSHINT 255, TUPLEVAR.
  assemble(['6D', ...repeat(levels, '8100FE', '9120', 'E4', '8100FF', '6F80')])

/** The result is a cell of `depth` levels, each of which refers to the next four times: a tree of `4 ** depth` cells. */
const sharedCells = (depth = 200): Cell =>
  // NEWC, ENDC, then: DUP three times, NEWC, STREF four times, ENDC.
  assemble(['C8', 'C9', ...repeat(depth, '20', '20', '20', 'C8', 'CC', 'CC', 'CC', 'CC', 'C9')])

/** So many entries of the stack, each the same tree of `cells` cells, which an answer spells out once for each entry. */
const repeatedCell = (entries = 250, cells = 200): Cell => {
  let large = emptyCell
  for (let k = 0; k < cells; k++)
    large = new CellWriter().writeBytes(new Uint8Array(120).fill(k)).writeRef(large).toCell()
  // PUSHREF, PUSHINT, PUSHCONT { DUP }, REPEAT.
  return assemble(['88', pushInt(entries - 1), '9120', 'E4'], large)
}

/** Throws an exception whose argument is the tuple of {@link sharedTuple}. */
const thrownTuple = (levels = 26): Cell => assemble(['71', ...repeat(levels, '20', '6F02'), 'F2C803'])

/** Uses all gas: PUSHCONT with nothing in it, AGAIN. */
const endlessLoop = (): Cell => assemble(['90', 'EA'])

/** Uses all gas, and leaves the tuple of an endless `DUP; TUPLE 2`. */
const endlessTuple = (): Cell => assemble(['71', '93206F02', 'EA'])

/** A list of so many pairs, one within the other. */
const deepList = (length = 4000): Cell =>
  // PUSHNULL, PUSHINT length, PUSHCONT { TUPLE 1 }, REPEAT.
  assemble(['6D', pushInt(length), '926F01', 'E4'])

/** Leaves continuations, each with the one before on its stack: PUSHCONT {}, then SETCONTARGS of what is there. */
const nestedContinuations = (levels = 100): Cell =>
  // PUSHCONT {}, then: DUP, PUSHCONT {}, and two arguments moved into it (SETCONTARGS 2, -1).
  assemble(['90', ...repeat(levels, '20', '90', 'EC2F')])

/** A number for every gas there is: the stack grows until gas ends. */
const endlessStack = (): Cell => assemble(['9170', 'EA'])

/** All of them by name, as a method's body. */
export const hostileBodies = () => ({
  sharedTuple: sharedTuple(),
  wideTuples: wideTuples(),
  widerTuples: wideTuples(4),
  sharedCells: sharedCells(),
  repeatedCell: repeatedCell(),
  thrownTuple: thrownTuple(),
  endlessLoop: endlessLoop(),
  endlessTuple: endlessTuple(),
  deepList: deepList(),
  nestedContinuations: nestedContinuations(),
  endlessStack: endlessStack(),
})

/** Makes the hash of code another, without another effect. */
const salted = (body: Cell, salt: number): Cell =>
  // PUSHINT salt, DROP.
  new CellWriter()
    .writeBytes(fromHex('80'))
    .writeUint(salt & 0x7f, 8)
    .writeBytes(fromHex('30'))
    .writeRef(body)
    .toCell()

/** Code that does the same whatever method is asked for. It takes any internal message without doing anything, so it can be deployed. */
export const anyMethodCode = (body: Cell, salt = 0): Cell =>
  // IFNOTRET takes the number of the method, which is zero for an internal message.
  new CellWriter().writeBytes(fromHex('DD')).writeRef(salted(body, salt)).toCell()

/** Methods that the indexer asks contracts for. */
const tokenMethods = [
  ...['get_wallet_data', 'get_jetton_data', 'get_nft_data', 'get_collection_data', 'get_sale_data'],
  ...['get_fix_price_data_v4', 'get_auction_data_v4', 'get_multisig_data', 'get_order_data'],
]

const methodsType: DictType<number, Cell> = { key: uintKey(19), value: cellValue }

/** Code that lists the methods of every kind of contract, as compilers lay it out; each of them does the same. */
export const tokenCode = (body: Cell, salt = 0): Cell => {
  const method = salted(body, salt)
  const entries = tokenMethods.map((name) => [getMethodId(name), method] as const)
  const methods = Dict.of(methodsType, [[0, emptyCell], ...entries.sort(([a], [b]) => a - b)])
  // SETCP 0, DICTPUSHCONST 19, DICTIGETJMPZ, THROWARG 11.
  return new CellWriter()
    .writeBytes(fromHex('ff00f4a413f4bcf2c80b'))
    .writeRef(methods.root as Cell)
    .toCell()
}
