import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type AccountState, accountNoneCell, type ExistingAccount, writeAccount } from '../../src/codec/tlb/Account.ts'
import { type CurrencyCollection, extraCurrenciesType } from '../../src/codec/tlb/CurrencyCollection.ts'
import { writeShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { type StateInit, simpleLibsType, writeStateInit } from '../../src/codec/tlb/StateInit.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { Builder } from '../../src/tvm/machine/values.ts'
import { BadDictMaker, type BitEntry, bitsOf } from './vmBadDictionaries.ts'
import { codeOf, ValueMaker } from './vmOperands.ts'
import type { Random } from './vmPrograms.ts'
import type { VmRequest } from './vmRequests.ts'
import {
  LIMITS,
  LONG_ADDRESSES,
  MAX_ADDRESS_BITS,
  NOW,
  PLAIN,
  SPECIAL,
  SUSPENDED,
  transactionConfig,
} from './vmTransactionConfig.ts'

const LT = 50_000_000
const HUGE_AMOUNT = 10n ** 17n

const toText = (cell: Cell): string => Buffer.from(encodeBoc([cell])).toString('base64')

/** An account for which both are false is written without them again. */
const TICK_TOCKS = [
  { tick: true, tock: false },
  { tick: false, tock: true },
  { tick: true, tock: true },
] as const

/** Transactions of accounts that do all that contracts can ask for: modes, balances, limits and failures at random. */
export class TransactionMaker {
  private readonly random: Random
  private readonly maker: ValueMaker
  private readonly newest: number
  /** Makes dictionaries as contracts may write them, where they are asked for. */
  private readonly strange: BadDictMaker | undefined
  private readonly bad: BadDictMaker | undefined
  private readonly configs = new Map<string, string>()
  /** In a tick or tock the reference ends with an error of its own where a message is to carry the inbound value. */
  private hasInboundValue = true
  /** Amounts and addresses so long that messages do not fit into a cell. */
  private isHuge = false

  constructor(random: Random, newest: number, badDictionaries = false) {
    this.random = random
    this.maker = new ValueMaker(random)
    this.newest = newest
    this.strange = badDictionaries ? new BadDictMaker(random, 0) : undefined
    this.bad = badDictionaries ? new BadDictMaker(random, 0.15) : undefined
  }

  request(): VmRequest {
    const { random, maker } = this
    const version = maker.chance(0.4) ? this.newest : random.below(this.newest + 1)
    const limits = random.below(LIMITS.length)
    const isMaster = maker.chance(0.25)
    const workchain = isMaster ? -1 : 0
    const kind = random.next()
    const isTick = kind < 0.04
    this.hasInboundValue = !isTick
    this.isHuge = maker.chance(0.02)
    const init = this.stateInit(isMaster, version)
    const initCell = writeWhole(writeStateInit, init)
    const isExternal = kind < 0.24
    const ownHash = maker.chance(0.5)
      ? initCell.hash()
      : isMaster
        ? random.pick([SPECIAL, PLAIN])
        : random.pick([PLAIN, PLAIN, SUSPENDED])
    const account = isTick
      ? this.account(workchain, ownHash, { kind: 'active', init: { ...init, special: { tick: true, tock: true } } })
      : this.anyAccount(workchain, ownHash, init, initCell)
    const message = isTick
      ? undefined
      : isExternal
        ? this.external(workchain, ownHash, init)
        : this.internal(workchain, ownHash, init)
    return {
      kind: 'transaction',
      ...this.config(version, limits),
      now: NOW,
      lt: String(LT),
      address: `${workchain}:${toHex(ownHash)}`,
      blockRandSeed: '07'.repeat(32),
      account: toText(account),
      ...(message === undefined ? { tickTock: random.pick(['tick', 'tock'] as const) } : { message: toText(message) }),
    }
  }

  /** The whole configuration the first time, its name from then on. */
  private config(version: number, limits: number): Pick<VmRequest, 'config' | 'configKey'> {
    const key = `v${version} l${limits}`
    const known = this.configs.get(key)
    if (known !== undefined) return { configKey: key }
    const config = toText(transactionConfig(version, LIMITS[limits]))
    this.configs.set(key, config)
    return { configKey: key, config }
  }

  private grams(): bigint {
    const { random, isHuge } = this
    if (isHuge) return HUGE_AMOUNT
    switch (random.below(6)) {
      case 0:
        return 0n
      case 1:
        return BigInt(random.below(1_000_000))
      case 2:
        return BigInt(random.below(20_000_000))
      case 3:
        return 10n ** BigInt(random.below(19))
      default:
        return BigInt(random.below(2_000_000_000)) * 2n
    }
  }

  private amount(withExtra = 0.15): CurrencyCollection {
    const { random, maker } = this
    let extra = new Dict(extraCurrenciesType)
    if (maker.chance(withExtra)) {
      for (let count = 1 + random.below(3); count > 0; count--) {
        extra = extra.set(1 + random.below(3), maker.chance(0.9) ? BigInt(1 + random.below(2000)) : 1n << 100n)
      }
    }
    if (this.strange !== undefined && maker.chance(0.3)) {
      extra = new Dict(extraCurrenciesType, this.strange.make(this.currencies()))
    }
    return { grams: this.grams(), extra }
  }

  /** A few currencies, written as short as they can be. */
  private currencies(): BitEntry[] {
    const { random } = this
    return Array.from({ length: 1 + random.below(4) }, () => ({
      key: random.pick([1, 2, 3, 7, 100]).toString(2).padStart(32, '0'),
      value: Builder.empty.withInteger(1, 5).withInteger(1 + random.below(255), 8),
    }))
  }

  /** Extra currencies of an action. */
  private actionExtra(share: number): Cell | undefined {
    const { random, maker, bad } = this
    if (bad === undefined || !maker.chance(0.5)) return this.amount(share).extra.root as Cell | undefined
    const entries = this.currencies()
    // Zero, or zeros before the amount.
    if (maker.chance(0.2)) entries.push({ key: '0'.repeat(32), value: Builder.empty.withInteger(random.below(3), 5) })
    if (maker.chance(0.1)) {
      const value = Builder.empty.withInteger(2, 5).withInteger(random.below(400), 16)
      entries.push({ key: '1'.repeat(32), value })
    }
    // More nodes than are looked into.
    if (maker.chance(0.03)) {
      const value = Builder.empty.withInteger(1, 5).withInteger(1, 8)
      for (let k = 0; k < 505 + random.below(12); k++)
        entries.push({ key: (k * 7919).toString(2).padStart(32, '0'), value })
      return this.strange!.make(entries)
    }
    return bad.make(entries)
  }

  /** Libraries, some under a hash that is not theirs. */
  private badLibraries(): Cell | undefined {
    const { random, maker } = this
    const entries = Array.from({ length: 1 + random.below(4) }, (_, k) => {
      const root = k < 2 ? codeOf(`70${k}0`) : this.chain(random.below(3))
      const key = bitsOf(maker.chance(0.8) ? root.hash() : codeOf(`70${random.below(4)}0`).hash())
      return { key, value: Builder.empty.withInteger(random.below(2), 1).withRef(root) }
    })
    return (maker.chance(0.5) ? this.bad! : this.strange!).make(entries)
  }

  // --- accounts

  private anyAccount(workchain: number, hash: Uint8Array, init: StateInit, initCell: Cell): Cell {
    const kind = this.random.next()
    if (kind < 0.08) {
      return writeWhole(writeShardAccount, {
        account: accountNoneCell,
        lastTransHash: new Uint8Array(32),
        lastTransLt: 0n,
      })
    }
    if (kind < 0.18) return this.account(workchain, hash, { kind: 'uninit' })
    if (kind < 0.25) {
      const stateHash = this.maker.chance(0.6) ? initCell.hash() : PLAIN
      return this.account(workchain, hash, { kind: 'frozen', stateHash })
    }
    const isBad = this.bad !== undefined && this.maker.chance(0.3)
    const library = isBad ? this.badLibraries() : this.maker.chance(0.003) ? this.maker.cell() : init.library
    return this.account(workchain, hash, { kind: 'active', init: { ...init, library } })
  }

  private account(workchain: number, hash: Uint8Array, state: AccountState): Cell {
    const { random, maker } = this
    const age = random.pick([0, 1, 10, 1000, 1_000_000, 50_000_000])
    const existing: ExistingAccount = {
      kind: 'account',
      address: { kind: 'std', workchain, hash, anycast: undefined },
      storage: {
        used: { cells: BigInt(random.below(50)), bits: BigInt(2000 + random.below(20_000)) },
        dictHash: undefined,
        lastPaid: maker.chance(0.05) ? 0 : NOW - age,
        duePayment: maker.chance(0.15) ? this.grams() : undefined,
      },
      lastTransLt: BigInt(maker.chance(0.9) ? LT - 5 : LT + random.below(50)),
      balance: this.amount(),
      state,
    }
    return writeWhole(writeShardAccount, {
      account: writeWhole(writeAccount, existing),
      lastTransHash: PLAIN,
      lastTransLt: existing.lastTransLt - 1n,
    })
  }

  private stateInit(isMaster: boolean, version: number): StateInit {
    const { random, maker } = this
    const libraries = (): Cell | undefined =>
      Dict.of(
        simpleLibsType,
        Array.from({ length: 1 + random.below(2) }, (_, k) => {
          const root = codeOf(`70${k}0`)
          return [root.hash(), { isPublic: maker.chance(0.5), root }] as const
        }),
      ).root as Cell | undefined
    return {
      // Older versions take accounts with it for anycast addresses.
      fixedPrefixLength: version >= 10 && maker.chance(0.06) ? random.below(32) : undefined,
      special: maker.chance(isMaster ? 0.2 : 0.05) ? random.pick(TICK_TOCKS) : undefined,
      code: maker.chance(0.97) ? this.code() : undefined,
      data: maker.chance(0.95) ? (maker.chance(0.1) ? this.chain(random.below(24)) : maker.cell(1)) : undefined,
      library:
        this.bad !== undefined && maker.chance(0.1) ? this.badLibraries() : maker.chance(0.1) ? libraries() : undefined,
    }
  }

  /** Cells one below another. */
  private chain(length: number): Cell {
    let cell = emptyCell
    for (let k = 0; k < length; k++) cell = new CellWriter().writeUint(k, 16).writeRef(cell).toCell()
    return cell
  }

  // --- code

  /** Code that accepts, sets its data and its actions, and ends well or not. */
  private code(): Cell {
    const { random, maker } = this
    const ends = [...Array<string>(20).fill(''), 'f22a', 'f80ff22a', '71db31', '90ea', 'f80f90ea', '8b0f', 'ff00']
    const w = new CellWriter()
    if (maker.chance(0.85)) w.writeUint(0xf800, 16)
    if (maker.chance(0.2))
      w.writeUint(0x88, 8)
        .writeRef(maker.chance(0.3) ? this.chain(random.below(30)) : maker.cell(1))
        .writeUint(0xed54, 16)
    if (maker.chance(0.85)) w.writeUint(0x88, 8).writeRef(this.actions()).writeUint(0xed55, 16)
    // Looks at its context: balance, value, fees, due payment, unpacked configuration, message.
    if (maker.chance(0.15))
      w.writeBytes(
        Buffer.from(
          random.pick(['f82730', 'f82b30', 'f82c30', 'f82f30', 'f82e30', 'f825', 'f823f824', 'f88111']),
          'hex',
        ),
      )
    return w.writeBytes(Buffer.from(random.pick(ends), 'hex')).toCell()
  }

  /** A list of actions, seldom one that is none. */
  private actions(): Cell {
    const { random, maker } = this
    const kind = random.next()
    const count = kind < 0.05 ? 0 : kind < 0.97 ? 1 + random.below(4) : random.pick([254, 255, 256, 257])
    let list = emptyCell
    if (maker.chance(0.02)) list = random.pick([new CellWriter().writeUint(1, 1).toCell(), maker.cell(1)])
    for (let k = 0; k < count; k++) {
      const action = count > 10 ? reserveNothing() : this.action()
      const node = Builder.empty.withRef(list).withBuilder(action)
      list = node.toCell()
    }
    return list
  }

  private action(): Builder {
    const { random, maker } = this
    const kind = random.next()
    if (kind < 0.62) return tag(0x0ec3c86d).withInteger(this.sendMode(), 8).withRef(this.relaxed())
    if (kind < 0.8) {
      const mode = maker.chance(0.9) ? random.below(32) : random.below(256)
      const w = new CellWriter()
      const { grams, extra } = this.amount(0.2)
      const strange = this.bad === undefined ? (extra.root as Cell | undefined) : this.actionExtra(0.2)
      if (maker.chance(0.03)) w.writeUint(2, 4).writeUint(5, 16)
      else w.writeCoins(grams)
      w.writeMaybeRef(strange)
      return tag(0x36e6b809).withInteger(mode, 8).withBuilder(asBuilder(w))
    }
    if (kind < 0.87) return tag(0xad4de08e).withRef(maker.chance(0.7) ? this.tinyCode() : maker.cell())
    if (kind < 0.96) return this.changeLibrary()
    // None: an unknown tag, a reference too few, bits too many.
    return random.pick([
      tag(0x12345678),
      tag(0x0ec3c86d).withInteger(this.sendMode(), 8),
      tag(0x0ec3c86d).withInteger(this.sendMode(), 8).withRef(maker.cell(1)),
      tag(0x0ec3c86d).withInteger(this.sendMode(), 8).withRef(this.relaxed()).withInteger(0, 1),
      tag(0x0ec3c86d).withInteger(2, 3),
      tag(0xad4de08e),
    ])
  }

  private sendMode(): number {
    const { random, maker } = this
    const base = random.pick(this.hasInboundValue ? [0, 0, 0, 64, 64, 128, 128, 192] : [0, 0, 0, 128])
    const mode = base | random.pick([0, 0, 1, 2, 3]) | random.pick([0, 0, 16]) | random.pick([0, 0, 0, 32])
    return maker.chance(0.95) ? mode : random.below(256) & (this.hasInboundValue ? 255 : ~64)
  }

  private tinyCode(): Cell {
    return codeOf(this.random.pick(['', '71', 'f800', '7071', 'ff00']))
  }

  private changeLibrary(): Builder {
    const { random, maker } = this
    const mode = random.pick([0, 1, 2, 2, 16, 17, 18, 3, random.below(128)])
    const start = tag(0x26fa1dd4).withInteger(mode, 7)
    const root = maker.chance(0.5)
      ? codeOf(`70${random.below(2)}0`)
      : maker.chance(0.6)
        ? this.chain(random.below(8))
        : maker.cell(0)
    if (maker.chance(0.6)) return start.withInteger(1, 1).withRef(root)
    return start.withInteger(0, 1).withBytes(maker.chance(0.6) ? codeOf(`70${random.below(2)}0`).hash() : PLAIN)
  }

  // --- messages

  /** As a contract writes it. */
  private relaxed(): Cell {
    const { random, maker } = this
    const w = new CellWriter()
    const isOut = maker.chance(0.12)
    if (isOut) {
      w.writeUint(3, 2)
      this.source(w)
      if (maker.chance(0.7)) w.writeUint(0, 2)
      else w.writeUint(1, 2).writeUint(16, 9).writeUint(77, 16)
    } else {
      w.writeUint(0, 1).writeUint(random.below(8), 3)
      this.source(w)
      this.destination(w)
      this.coins(w, this.grams())
      const extra = this.actionExtra(0.15)
      if (maker.chance(0.02)) w.writeBit(true).writeRef(maker.chance(0.5) ? maker.cell(2) : zeroCurrency())
      else w.writeMaybeRef(extra)
      w.writeCoins(BigInt(maker.chance(0.85) ? 0 : random.below(6)))
      w.writeCoins(BigInt(maker.chance(0.9) ? 0 : random.below(2_000_000_000)))
    }
    w.writeUint64(maker.chance(0.9) ? 0n : 5n).writeUint(0, 32)
    this.messageInit(w, this.tinyInit())
    return this.body(w)
  }

  private tinyInit(): StateInit {
    const { maker } = this
    const isBad = this.bad !== undefined && maker.chance(0.5)
    const library = isBad ? this.badLibraries() : maker.chance(0.1) ? maker.cell(1) : undefined
    return {
      fixedPrefixLength: undefined,
      special: undefined,
      code: this.tinyCode(),
      data: maker.chance(0.7) ? maker.cell(2) : undefined,
      library,
    }
  }

  private messageInit(w: CellWriter, init: StateInit, share = 0.2): void {
    if (!this.maker.chance(share)) {
      w.writeBit(false)
      return
    }
    w.writeBit(true)
    const inRef = this.maker.chance(0.6)
    w.writeBit(inRef)
    if (inRef) w.writeRef(writeWhole(writeStateInit, init))
    else writeStateInit(w, init)
  }

  /** Nobody can send a message whose body is an exotic cell. */
  private body(w: CellWriter, isSent = false): Cell {
    const { random, maker } = this
    const kind = random.next()
    const before = w.toCell()
    const start = asBuilder(w)
    if (kind < 0.35 && start.hasRoom(1, 1)) {
      const plain = isSent ? maker.bits(random.below(900)).toCell() : maker.cell(0)
      const cell = maker.chance(0.7) ? plain : this.chain(random.below(25))
      return start.withInteger(1, 1).withRef(cell).toCell()
    }
    if (!start.hasRoom(1)) return before
    let body = start.withInteger(0, 1)
    const bits = maker.chance(0.7) ? random.below(100) : Math.max(0, 1023 - body.bits - random.below(100))
    if (body.hasRoom(bits)) body = body.withBuilder(maker.bits(bits))
    while (body.hasRoom(0, 1) && maker.chance(0.35)) body = body.withRef(maker.cell(1))
    return body.toCell()
  }

  /** Mostly as short as it can be. */
  private coins(w: CellWriter, value: bigint): void {
    if (this.maker.chance(0.98)) w.writeCoins(value)
    else w.writeUint(10, 4).writeUintWide(value, 80)
  }

  private source(w: CellWriter): void {
    const kind = this.random.next()
    if (kind < 0.85) w.writeUint(0, 2)
    else if (kind < 0.93) w.writeUint(4, 3).writeInt(0, 8).writeBytes(PLAIN)
    else if (kind < 0.97) w.writeUint(6, 3).writeUint(256, 9).writeInt(0, 32).writeBytes(PLAIN)
    else w.writeUint(1, 2).writeUint(8, 9).writeUint(7, 8)
  }

  private destination(w: CellWriter): void {
    const { random, isHuge } = this
    const kind = random.next()
    if (isHuge) {
      w.writeUint(6, 3).writeUint(MAX_ADDRESS_BITS, 9).writeInt(LONG_ADDRESSES, 32)
      w.writeBits(new Uint8Array(64).fill(0x21), MAX_ADDRESS_BITS)
    } else if (kind < 0.78)
      w.writeUint(4, 3)
        .writeInt(random.pick([0, 0, 0, -1]), 8)
        .writeBytes(PLAIN)
    else if (kind < 0.84)
      w.writeUint(4, 3)
        .writeInt(random.pick([1, 5, -2]), 8)
        .writeBytes(PLAIN)
    else if (kind < 0.9)
      w.writeUint(5, 3).writeUint(5, 5).writeUint(random.below(32), 5).writeInt(0, 8).writeBytes(PLAIN)
    else if (kind < 0.96) {
      const workchain = random.pick([0, -1, 1000])
      // The emulator does not look at the length of addresses in the masterchain yet.
      const bits = workchain === -1 ? 256 : random.pick([256, 256, 64, 8])
      w.writeUint(6, 3).writeUint(bits, 9).writeInt(workchain, 32).writeBits(PLAIN, bits)
    } else w.writeUint(0, 2)
  }

  private internal(workchain: number, hash: Uint8Array, init: StateInit): Cell {
    const { random, maker } = this
    const w = new CellWriter()
    w.writeBit(false).writeBit(maker.chance(0.8)).writeBit(maker.chance(0.65)).writeBit(maker.chance(0.1))
    w.writeUint(4, 3)
      .writeInt(random.pick([0, 0, -1]), 8)
      .writeBytes(SPECIAL)
    w.writeUint(4, 3).writeInt(workchain, 8).writeBytes(hash)
    const { grams, extra } = this.amount()
    w.writeCoins(grams).writeMaybeRef(extra.root as Cell | undefined)
    w.writeCoins(BigInt(random.below(4))).writeCoins(BigInt(random.below(1_000_000)))
    w.writeUint64(BigInt(LT - 1000)).writeUint(NOW - 5, 32)
    this.messageInit(w, init, 0.35)
    return this.body(w, true)
  }

  private external(workchain: number, hash: Uint8Array, init: StateInit): Cell {
    const w = new CellWriter().writeUint(2, 2).writeUint(0, 2)
    w.writeUint(4, 3).writeInt(workchain, 8).writeBytes(hash)
    w.writeCoins(this.maker.chance(0.8) ? 0n : this.grams())
    this.messageInit(w, init, 0.3)
    return this.body(w, true)
  }
}

const tag = (value: number): Builder => Builder.empty.withInteger(value, 32)

const reserveNothing = (): Builder => tag(0x36e6b809).withInteger(0, 8).withInteger(0, 5)

const zeroCurrency = (): Cell => Dict.of(extraCurrenciesType, [[7, 0n]]).root as Cell

const asBuilder = (w: CellWriter): Builder => {
  const cell = w.toCell()
  let builder = Builder.empty.withBits(cell.arena.bytes, 8 * cell.arena.dataStart[cell.index]!, cell.bits)
  for (let k = 0; k < cell.refCount; k++) builder = builder.withRef(cell.ref(k))
  return builder
}
