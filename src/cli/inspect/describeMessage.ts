import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { bodyCell, type Message, type MessageRelaxed, normalizedExternalHash } from '../../codec/tlb/Message.ts'
import { findStandardAddress, type MsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { findWalletKind } from '../../contracts/wallets.ts'
import { formatFriendlyAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Finding } from './Finding.ts'

export const describeMessage = (cell: Cell, message: Message | MessageRelaxed, decoder: BodyDecoder): Finding => {
  const { info, init, body } = message
  return {
    kind: `message, ${kinds[info.kind]}`,
    hash: toHex(cell.hash()),
    ...(info.kind === 'externalIn' && { normalized_hash: toHex(normalizedExternalHash({ ...message, info })) }),
    source: describeAddress(info.source),
    destination: describeAddress(info.destination),
    ...(info.kind === 'internal' && {
      ...describeAmount(info.value),
      bounce: info.bounce,
      bounced: info.bounced,
      fwd_fee: String(info.fwdFee),
    }),
    ...(info.kind === 'externalIn'
      ? { import_fee: String(info.importFee) }
      : { created_lt: String(info.createdLt), created_at: formatTime(info.createdAt) }),
    ...(init !== undefined && { state_init: describeInit(init.value) }),
    body: describeBody(bodyCell(body), decoder),
  }
}

const kinds = { internal: 'internal', externalIn: 'from outside', externalOut: 'to the outside' } as const

/** What stands in a body, by the layouts that are known; else what it begins with. */
export const describeBody = (body: Cell, decoder: BodyDecoder): Finding => {
  const opcode = body.isExotic || body.bits < 32 ? undefined : openCell(body).readUint(32)
  return {
    hash: toHex(body.hash()),
    bits: body.bits,
    refs: body.refCount,
    ...(opcode !== undefined && { opcode: `0x${opcode.toString(16).padStart(8, '0')}`, name: decoder.nameOf(opcode) }),
    decoded: decoder.decode(body) ?? 'no layout fits',
  }
}

export const describeInit = ({ code, data, library, special }: StateInit): Finding => ({
  code_hash: code && toHex(code.hash()),
  ...(code !== undefined && { wallet: findWalletKind(code.hash())?.interfaceName }),
  data_hash: data && toHex(data.hash()),
  ...(library !== undefined && { library_hash: toHex(library.hash()) }),
  ...(special !== undefined && { tick: special.tick, tock: special.tock }),
})

export const describeAmount = ({ grams, extra }: CurrencyCollection): Finding => ({
  value: String(grams),
  ...(!extra.isEmpty && {
    extra_currencies: Object.fromEntries(extra.entries().map(([id, amount]) => [String(id), String(amount)])),
  }),
})

export const describeAddress = (address: MsgAddress): string => {
  const standard = findStandardAddress(address)
  if (standard !== undefined) return formatFriendlyAddress(standard)
  if (address.kind === 'none') return 'none'
  return address.kind === 'extern' ? `external, ${address.bits} bits ${toHex(address.value)}` : 'not a standard address'
}

export const formatTime = (utime: number): string => `${utime} (${new Date(1000 * utime).toISOString().slice(0, 19)}Z)`
