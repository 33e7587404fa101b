import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address as at, filled, marker } from '../../../../test/support/sampleMessages.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../../codec/cell/CellWriter.ts'
import { Dict, type DictType } from '../../../codec/cell/Dict.ts'
import { cellValue, uintKey } from '../../../codec/cell/dictTypes.ts'
import { CHECKED_BOC, encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { packCell } from '../../../codec/stored/packCell.ts'
import { type MsgAddress, readMsgAddress, writeMsgAddress } from '../../../codec/tlb/MsgAddress.ts'
import { jettonBurnBody, jettonMintBody, jettonTransferBody } from '../../../devnet/contracts/jettonContracts.ts'
import {
  commentBody,
  type OutgoingMessage,
  outgoingMessageCell,
  startBody,
  writeAddress,
} from '../../../devnet/contracts/messages.ts'
import { nftTransferBody } from '../../../devnet/contracts/nftContracts.ts'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { toOrderActionViews } from './multisig.ts'
import { listBodyAddresses } from './orderBodies.ts'

const actionsType: DictType<number, Cell> = { key: uintKey(8), value: cellValue }
const addressesType: DictType<number, MsgAddress> = {
  key: uintKey(8),
  value: { read: readMsgAddress, write: writeMsgAddress },
}
const raw = (byte: number): string => formatUpperRawAddress(at(0, byte))
const boc = (cell: Cell): string => toBase64(encodeBoc([cell], CHECKED_BOC))

const orderOf = (...actions: readonly Cell[]): Uint8Array =>
  packCell(
    Dict.of(
      actionsType,
      actions.map((cell, index) => [index, cell]),
    ).root as Cell,
  )

const messageOf = (body: Cell | undefined): OutgoingMessage => ({
  destination: at(0, 9),
  value: 50_000_000n,
  bounce: true,
  ...(body && { body }),
})

const sendOf = (body: Cell | undefined, mode = 3): Cell =>
  new CellWriter()
    .writeUint(0xf1381e5b, 32)
    .writeUint(mode, 8)
    .writeRef(outgoingMessageCell(messageOf(body)))
    .toCell()

const actionOf = (cell: Cell) => toOrderActionViews(orderOf(cell))![0]!
const bodyOf = (body: Cell | undefined) => {
  const { parsed_body_type: type, parsed_body: members, error } = actionOf(sendOf(body))
  assert.equal(error, null)
  return { type, members }
}

test('a message: where it goes, what it says, how it is sent', () => {
  const body = commentBody('finish')
  assert.deepEqual(actionOf(sendOf(body, 130)), {
    destination: raw(9),
    value: '50000000',
    body_raw: boc(body),
    parsed: true,
    error: null,
    parsed_body: { comment: 'finish', encrypted: false },
    parsed_body_type: 'ton_transfer',
    send_mode: 130,
  })
})

test('plain transfers: without a word, and with a secret', () => {
  assert.deepEqual(bodyOf(undefined), { type: 'ton_transfer', members: { comment: '', encrypted: false } })
  assert.deepEqual(bodyOf(new CellWriter().writeUint(7, 31).toCell()).type, 'ton_transfer')
  const secret = new CellWriter()
    .writeUint(0x2167da4b, 32)
    .writeBytes(Uint8Array.of(1, 2, 255))
    .toCell()
  assert.deepEqual(bodyOf(secret).members, { comment: 'AQL/', encrypted: true })
})

const transferOf = (forwardPayload: Cell | undefined): Cell =>
  jettonTransferBody({
    queryId: 2n ** 64n - 1n,
    amount: 10n ** 20n,
    destination: at(0, 1),
    responseDestination: undefined,
    forwardAmount: 1n,
    forwardPayload,
  })

test('transfers of jettons, with all that may go along', () => {
  const first = {
    query_id: 2n ** 64n - 1n,
    amount: '100000000000000000000',
    destination: raw(1),
    response: null,
    custom_payload: null,
    forward_amount: '1',
  }
  const nothing = { comment: '', encrypted_comment: false, forward_payload: null, payload_sum_type: '' }
  assert.deepEqual(bodyOf(transferOf(undefined)), {
    type: 'jetton_transfer',
    members: { ...first, ...nothing, stonfi_swap_body: null },
  })
  const note = commentBody('für dich')
  const noted = { ...nothing, comment: 'für dich', forward_payload: boc(note), payload_sum_type: 'TextComment' }
  assert.deepEqual(bodyOf(transferOf(note)).members, { ...first, ...noted, stonfi_swap_body: null })
  const secret = new CellWriter().writeUint(0x2167da4b, 32).writeUint(1, 8).toCell()
  assert.equal(bodyOf(transferOf(secret)).members?.['payload_sum_type'], 'EncryptedTextComment')
  assert.equal(bodyOf(transferOf(secret)).members?.['encrypted_comment'], true)
  const swap = writeAddress(
    writeAddress(new CellWriter().writeUint(0x25938561, 32), at(0, 4)).writeCoins(77n),
    at(0, 5),
  ).toCell()
  const swapped = bodyOf(transferOf(swap)).members!
  assert.equal(swapped['payload_sum_type'], 'StonfiSwap')
  const exchange = { jetton_wallet: raw(4), min_amount: '77', user_address: raw(5) }
  assert.deepEqual(swapped['stonfi_swap_body'], exchange)
  assert.deepEqual(listBodyAddresses(swapped), [raw(1), raw(4), raw(5)])
  assert.equal(bodyOf(transferOf(marker(5))).members?.['payload_sum_type'], 'Unknown')
  assert.equal(bodyOf(transferOf(new CellWriter().writeUint(1, 5).toCell())).members?.['payload_sum_type'], 'Unknown')
})

test('what else masters, wallets and items are told', () => {
  assert.deepEqual(bodyOf(jettonBurnBody(5n, 6n, at(0, 1))), {
    type: 'jetton_burn',
    members: { query_id: 5n, amount: '6', response_destination: raw(1) },
  })
  const minted = {
    query_id: 5n,
    to_address: raw(1),
    ton_amount: '7',
    master_msg_query_id: 5n,
    master_msg_jetton_amount: '6',
  }
  const mint = jettonMintBody(5n, at(0, 1), 6n, 7n, at(0, 2))
  assert.deepEqual(bodyOf(mint), { type: 'jetton_mint', members: { opcode: 0x642b7d07, ...minted } })
  const inner = new CellWriter().writeUint(0x178d4519, 32).writeUint64(5n).writeCoins(6n).toCell()
  const older = writeAddress(startBody(0x15, 5n), at(0, 1)).writeCoins(7n).writeRef(inner).toCell()
  assert.deepEqual(bodyOf(older), { type: 'jetton_mint', members: { opcode: 0x15, ...minted } })
  const payload = marker(3)
  const item = {
    queryId: 5n,
    newOwner: at(0, 1),
    responseDestination: at(0, 2),
    forwardAmount: 8n,
    forwardPayload: payload,
  }
  assert.deepEqual(bodyOf(nftTransferBody(item)), {
    type: 'nft_transfer',
    members: {
      query_id: 5n,
      new_owner: raw(1),
      response_destination: raw(2),
      custom_payload: null,
      forward_amount: '8',
      forward_payload: boc(payload),
    },
  })
  const status = startBody(0xeed236d3, 5n).writeUint(3, 8).toCell()
  const url = new TextEncoder().encode('https://demo.invalid/x.json')
  const cases: [Cell, string, object][] = [
    [startBody(0x9fd3, 5n).toCell(), 'jetton_top_up', {}],
    [writeAddress(startBody(0x6501f354, 5n), at(0, 1)).toCell(), 'jetton_change_admin', { new_admin_address: raw(1) }],
    [startBody(0xfb88e119, 5n).toCell(), 'jetton_claim_admin', {}],
    [
      startBody(0xcb862902, 5n).writeBytes(url).toCell(),
      'jetton_change_content',
      { new_metadata_url: 'https://demo.invalid/x.json' },
    ],
    [status, 'jetton_set_status', { new_status: 3 }],
    [startBody(0x1000, 5n).writeCoins(9n).toCell(), 'single_nominator_withdraw', { coins: '9' }],
    [
      writeAddress(startBody(0x1001, 5n), at(-1, 1)).toCell(),
      'single_nominator_change_validator',
      { validator_address: formatUpperRawAddress(at(-1, 1)) },
    ],
    [
      writeAddress(startBody(0x235caf52, 5n), at(0, 1)).writeCoins(7n).writeRef(status).toCell(),
      'jetton_call_to',
      { to_address: raw(1), ton_amount: '7', action_type: 'JettonSetStatus', action_data: boc(status) },
    ],
    [
      startBody(0x75097f5d, 5n)
        .writeUint(3, 8)
        .writeRef(outgoingMessageCell(messageOf(commentBody('unlocked'))))
        .toCell(),
      'vesting_internal_transfer',
      {
        send_mode: 3,
        destination: raw(9),
        value: '50000000',
        message_body: boc(commentBody('unlocked')),
        comment: 'unlocked',
      },
    ],
  ]
  for (const [body, type, members] of cases) {
    assert.deepEqual(bodyOf(body), { type, members: { query_id: 5n, ...members } }, type)
  }
  assert.deepEqual(bodyOf(marker(0x12345678)), {
    type: 'unknown',
    members: { opcode: 0x12345678, data: boc(marker(0x12345678)) },
  })
})

test('new parameters of a multisig', () => {
  const signers = Dict.of(addressesType, [[0, at(0, 1)] as const, [1, at(0, 2)] as const]).root as Cell
  const action = new CellWriter().writeUint(0x1d0cfbd3, 32).writeUint(2, 8).writeRef(signers).writeBit(false).toCell()
  const shown = actionOf(action)
  assert.deepEqual(shown, {
    destination: null,
    value: null,
    body_raw: null,
    send_mode: 0,
    parsed: true,
    error: null,
    parsed_body: { new_threshold: 2, new_signers: [raw(1), raw(2)], new_proposers: [] },
    parsed_body_type: 'multisig_update_params',
  })
  assert.deepEqual(listBodyAddresses(shown.parsed_body!), [raw(1), raw(2)])
})

test('an action that cannot be read leaves the others as they are; a cell that is no order has none', () => {
  const short = startBody(0x595f07bc, 1n).toCell()
  const [cut, strange, good] = toOrderActionViews(orderOf(sendOf(short), marker(7), sendOf(undefined)))!
  assert.deepEqual([cut?.parsed, cut?.parsed_body, cut?.parsed_body_type], [false, null, 'unknown'])
  assert.deepEqual([cut?.destination, cut?.value, cut?.body_raw], [raw(9), '50000000', boc(short)])
  assert.match(cut?.error ?? '', /more bits were expected/)
  assert.deepEqual([strange?.parsed, strange?.destination, strange?.send_mode], [false, null, 0])
  assert.equal(strange?.error, 'An action of an order is a message or new parameters, this one has the tag 7.')
  assert.equal(good?.parsed, true)
  assert.equal(toOrderActionViews(packCell(new CellWriter().writeBytes(filled(0xff)).toCell())), null)
  assert.equal(toOrderActionViews(packCell(emptyCell)), null)
  assert.equal(toOrderActionViews(undefined), null)
})

test('an order whose actions all have one large body shows it a few times', () => {
  let body = new CellWriter().writeBytes(filled(1)).toCell()
  for (let k = 0; k < 400; k++) {
    const next = body
    body = new CellWriter()
      .writeUint(k, 32)
      .writeBytes(filled(k & 0xff))
      .writeRef(next)
      .toCell()
  }
  const content = orderOf(...Array.from({ length: 200 }, () => sendOf(body)))
  const actions = toOrderActionViews(content)!
  assert.equal(actions.length, 200)
  const length = JSON.stringify(actions).length
  assert.ok(length < 16 * content.length + 100_000, `${length} characters for ${content.length} bytes`)
  assert.ok(actions[0]!.parsed && actions[0]!.body_raw !== null)
  assert.match(String(actions.at(-1)!.error), /omitted/)
})
