import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { getMethodId } from '../../src/codec/tlb/VmValue.ts'
import { instructions } from '../../src/tvm/machine/instructions/table.ts'
import { Builder, MAX_BUILDER_BITS, Slice, type Value } from '../../src/tvm/machine/values.ts'
import { fixturePath } from './fixtures.ts'
import { ValueMaker } from './vmOperands.ts'
import type { Random } from './vmPrograms.ts'

export type RealContract = { readonly code: Cell; readonly data: Cell }

const CONTRACTS = 'mainnet/contracts'

/** Recorded contracts of the main network; none where the recordings are missing. */
export const readRealContracts = (): RealContract[] => {
  const root = fixturePath(CONTRACTS)
  if (!existsSync(root)) return []
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.data.boc'))
  return files.toSorted().flatMap((name) => {
    const code = join(root, name.replace(/\.data\.boc$/, '.boc'))
    if (!existsSync(code)) return []
    const contract = {
      code: decodeSingleBoc(readFileSync(code)),
      data: decodeSingleBoc(readFileSync(join(root, name))),
    }
    return contract.code.isExotic ? [] : [contract]
  })
}

const METHODS = [
  ...[
    'seqno',
    'get_public_key',
    'get_wallet_data',
    'get_jetton_data',
    'get_wallet_address',
    'get_nft_data',
    'get_collection_data',
  ],
  ...[
    'get_nft_address_by_index',
    'get_pool_data',
    'get_sale_data',
    'royalty_params',
    'get_order_data',
    'get_multisig_data',
    'dnsresolve',
  ],
].map(getMethodId)

export type MutantProgram = {
  readonly code: Cell
  readonly data: Cell
  readonly methodId: number
  readonly stack: Value[]
}

/** Real contracts with a few changes to their code. */
export class MutantMaker {
  private readonly random: Random
  private readonly maker: ValueMaker
  private readonly contracts: readonly RealContract[]

  constructor(random: Random, contracts: readonly RealContract[]) {
    this.random = random
    this.maker = new ValueMaker(random)
    this.contracts = contracts
  }

  program(): MutantProgram {
    const { random, maker } = this
    const { code, data } = random.pick(this.contracts)
    let mutant = code
    for (let changes = maker.chance(0.1) ? 0 : 1 + random.below(4); changes > 0; changes--) mutant = this.mutate(mutant)
    const entry = random.next()
    if (entry < 0.4) {
      const message = maker.cell(1)
      const body = maker.chance(0.5)
        ? Slice.of(
            Builder.empty
              .withInteger(random.pick([0, 0x0f8a7ea5, 0x178d4519, 0x595f07bc, 0x5fcc3d14, 0xd53276db]), 32)
              .withBuilder(maker.bits(500))
              .toCell(),
          )
        : maker.slice()
      return {
        code: mutant,
        data,
        methodId: entry < 0.3 ? 0 : -1,
        stack: [1_000_000_000, random.below(1_000_000_000), message, body],
      }
    }
    const stack = Array.from({ length: random.below(3) }, () => (maker.chance(0.5) ? maker.address() : maker.integer()))
    return { code: mutant, data, methodId: random.pick(METHODS), stack }
  }

  /** Changes one cell on a random way down. */
  private mutate(cell: Cell): Cell {
    const { random, maker } = this
    if (cell.refCount > 0 && maker.chance(0.75)) {
      const at = random.below(cell.refCount)
      const below = cell.ref(at)
      if (!below.isExotic) {
        let copy = bitsOf(cell)
        for (let k = 0; k < cell.refCount; k++) copy = copy.withRef(k === at ? this.mutate(below) : cell.ref(k))
        return copy.toCell()
      }
    }
    return this.spoil(cell)
  }

  private spoil(cell: Cell): Cell {
    const { random, maker } = this
    const whole = Slice.of(cell)
    const at = 4 * random.below((whole.bits >> 2) + 1)
    const { from, to, bits } = random.pick(instructions)
    const opcode = Builder.empty.withInteger(from + random.below(to - from + 1), bits)
    let body: Builder
    switch (random.below(5)) {
      case 0:
        body = join2(first(whole, at).withBuilder(maker.bits(Math.min(8, whole.bits - at))), whole, at + 8)
        break
      case 1:
        body = join2(first(whole, at).withBuilder(opcode), whole, at + bits)
        break
      case 2:
        body = join2(first(whole, at).withBuilder(opcode), whole, at)
        break
      case 3:
        body = join2(first(whole, at), whole, at + random.pick([4, 8, 16, 24]))
        break
      default:
        body = first(whole, at)
    }
    const refs = Array.from({ length: cell.refCount }, (_, k) => cell.ref(k))
    if (refs.length > 1 && maker.chance(0.1)) refs.reverse()
    for (const ref of refs) body = body.withRef(ref)
    return body.toCell()
  }
}

const bitsOf = (cell: Cell): Builder => first(Slice.of(cell), cell.bits)

const first = (whole: Slice, bits: number): Builder => {
  const length = Math.min(bits, whole.bits)
  return length === 0 ? Builder.empty : Builder.empty.withBits(whole.bytes, whole.offset, length)
}

/** What stands in `whole` from a bit on is added as far as there is room. */
const join2 = (start: Builder, whole: Slice, from: number): Builder => {
  const kept = start.bits > MAX_BUILDER_BITS ? Builder.empty : start
  const left = Math.min(whole.bits - from, MAX_BUILDER_BITS - kept.bits)
  return left <= 0 ? kept : kept.withBits(whole.bytes, whole.offset + from, left)
}
