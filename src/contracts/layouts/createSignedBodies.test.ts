import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { decodeBoc } from '../../codec/cell/decodeBoc.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { createBodyDecoder } from './createBodyDecoder.ts'
import type { DecodedObject } from './DecodedValue.ts'

const decoder = createBodyDecoder()
const signature = Uint8Array.from({ length: 64 }, (_, k) => 0xa1 ^ k)

const cellOf = (write: (w: CellWriter) => void): Cell => {
  const w = new CellWriter()
  write(w)
  return w.toCell()
}

/** A relaxed internal message without a source, value 1, an inline body of nothing. */
const message = cellOf((w) =>
  w
    .writeUint(0b0100, 4)
    .writeUint(0, 2)
    .writeUint(0b100, 3)
    .writeInt(0, 8)
    .writeBytes(new Uint8Array(32))
    .writeCoins(1n)
    .writeUint(0, 1 + 4 + 4)
    .writeUint64(0n)
    .writeUint(0, 32)
    .writeUint(0, 2),
)

const decode = (write: (w: CellWriter) => void): DecodedObject | undefined =>
  decoder.decode(cellOf((w) => write(w.writeBytes(signature))))

const count = (decoded: DecodedObject | undefined, type: string): number =>
  JSON.stringify(decoded).split(`"@type":"${type}"`).length - 1

test('wallets v1 and v2', () => {
  const decoded = decode((w) => w.writeUint(7, 32).writeUint(9, 32).writeUint(3, 8).writeRef(message))
  assert.equal(decoded?.['@type'], 'wallet_signed_v1_v2')
  assert.deepEqual([decoded['msg_seqno'], decoded['valid_until']], ['7', '9'])
  assert.equal(count(decoded, 'message'), 1)
  assert.equal(decode((w) => w.writeUint(7, 32).writeUint(9, 32))?.['@type'], 'wallet_signed_v1_v2')
})

test('wallet v3 with none to four messages, and nothing else', () => {
  for (let messages = 0; messages <= 4; messages++) {
    const decoded = decode((w) => {
      w.writeUint(698983191, 32).writeUint(1, 32).writeUint(2, 32)
      for (let k = 0; k < messages; k++) w.writeUint(3, 8).writeRef(message)
    })
    assert.equal(decoded?.['@type'], 'wallet_signed_v3')
    assert.equal((decoded['msgs'] as DecodedObject)['@type'], `msgs_${messages}`)
  }
  const trailing = decode((w) =>
    w.writeUint(1, 32).writeUint(1, 32).writeUint(2, 32).writeUint(3, 8).writeRef(message).writeUint(0, 3),
  )
  assert.equal(trailing, undefined)
})

test('wallet v4 sends and manages plugins', () => {
  const head = (w: CellWriter, op: number) =>
    w.writeUint(698983191, 32).writeUint(1, 32).writeUint(2, 32).writeUint(op, 8)
  const opOf = (decoded: DecodedObject | undefined) => (decoded?.['op'] as DecodedObject | undefined)?.['@type']
  assert.equal(opOf(decode((w) => head(w, 0).writeUint(3, 8).writeRef(message))), 'simple_send')
  const plugin = (w: CellWriter, op: number) =>
    head(w, op).writeInt(0, 8).writeBytes(new Uint8Array(32)).writeCoins(5n).writeUint64(6n)
  assert.equal(opOf(decode((w) => plugin(w, 2))), 'install_plugin')
  assert.equal(opOf(decode((w) => plugin(w, 3))), 'remove_plugin')
  const init = cellOf((w) => w.writeUint(0, 5))
  assert.equal(
    opOf(decode((w) => head(w, 1).writeInt(0, 8).writeCoins(5n).writeRef(init).writeRef(emptyCell))),
    'deploy_install_plugin',
  )
  assert.equal(
    decode((w) => head(w, 4)),
    undefined,
  )
})

test('highload wallets v1, v2 and v3', () => {
  const entry = cellOf((w) => w.writeUint(0b110, 3).writeUint(16, 5).writeUint(3, 8).writeRef(message))
  const first = decode((w) => w.writeUint(1, 32).writeUint(2, 32).writeUint(3, 32).writeRef(entry))
  assert.equal(first?.['@type'], 'highload_wallet_signed_v1')
  const second = decode((w) => w.writeUint(1, 32).writeUint64(2n).writeBit(true).writeRef(entry))
  assert.equal(second?.['@type'], 'highload_wallet_signed_v2')
  const inner = cellOf((w) =>
    w
      .writeUint(1, 32)
      .writeRef(message)
      .writeUint(3, 8)
      .writeUint(4, 13)
      .writeUint(5, 10)
      .writeUint64(6n)
      .writeUint(7, 22),
  )
  assert.deepEqual(
    decode((w) => w.writeRef(inner)),
    {
      '@type': 'highload_wallet_signed_v3',
      signature: Buffer.from(signature).toString('hex').toUpperCase(),
      msg_inner: {
        subwallet_id: '1',
        message_to_send: ((first['payload'] as DecodedObject)['node'] as { value: { msg: DecodedObject } }).value.msg,
        send_mode: '3',
        query_id: { shift: '4', bit_number: '5' },
        created_at: '6',
        timeout: '7',
      },
    },
  )
})

test('preprocessed wallet v2', () => {
  const actions = cellOf((w) => w.writeRef(emptyCell).writeUint(0x0ec3c86d, 32).writeUint(3, 8).writeRef(message))
  const inner = cellOf((w) => w.writeUint64(1n).writeUint(2, 16).writeRef(actions))
  const decoded = decode((w) => w.writeRef(inner))
  assert.equal(decoded?.['@type'], 'preprocessed_wallet_signed_v2')
  assert.equal(count(decoded, 'action_send_msg'), 1)
})

test('wallet v5 with both lists of actions, and what does not parse as one', () => {
  const actions = cellOf((w) => w.writeRef(emptyCell).writeUint(0x0ec3c86d, 32).writeUint(3, 8).writeRef(message))
  const second = cellOf((w) => w.writeUint(4, 8).writeBit(false))
  const decoded = decoder.decode(
    cellOf((w) => {
      w.writeUint(0x7369676e, 32).writeUint(1, 32).writeUint(2, 32).writeUint(3, 32)
      w.writeBit(true)
        .writeRef(actions)
        .writeBit(true)
        .writeUint(4, 8)
        .writeBit(true)
        .writeRef(second)
        .writeBytes(signature)
    }),
  )
  assert.ok(decoded !== undefined)
  const { inner } = decoded['request'] as { inner: DecodedObject }
  assert.deepEqual(inner['extended_actions'], {
    '@type': 'something_from_maybe',
    value: {
      '@type': 'extended_list_action',
      action: { '@type': 'set_signature_auth_allowed', allowed: true },
      prev: { '@type': 'extended_list_last', action: { '@type': 'set_signature_auth_allowed', allowed: false } },
    },
  })
  assert.equal(
    ((inner['out_actions'] as DecodedObject)['value'] as { cell_reference: DecodedObject }).cell_reference['@type'],
    'out_list',
  )
  assert.deepEqual(decoder.decode(cellOf((w) => w.writeUint(0x7369676e, 32).writeUint(1, 8))), {
    '@type': 'w5_external_signed_request',
    rest: 'te6ccgEBAQEAAwAAAgE=',
  })
})

test('Telegram wallet: one message, as on the main network', () => {
  const boc =
    'te6cckEBAwEAjQABotiOvE4ZYtZkxtd9Se9sbmMXAdUFMt/PJKEKg9WYv40Kiy8QH7eILzwvyND08HsVxJmtmHMsObJYLkjIjnVaaw5jiW50f/9/' +
    'EWrJEDEAAAABAwEBaEIAEH2cJUG60f6QrAzzZPsu4ydsGVofsuan7JkNRKRUDLcgL68IAAAAAAAAAAAAAAAAAAECAAB/RhCT'
  const decoded = decoder.decode(decodeBoc(fromBase64(boc))[0]!)
  assert.equal(decoded?.['@type'], 'tg_wallet_signed')
  const request = decoded['request'] as DecodedObject
  assert.equal(request['@type'], 'tg_wallet_send_one_internal')
  assert.equal(request['send_mode'], '3')
  assert.equal((request['message'] as DecodedObject)['@type'], 'message')
})

test('Telegram wallet: many messages in chunks, and a count that is wrong', () => {
  const last = cellOf((w) => {
    w.writeBit(false)
    for (let k = 0; k < 4; k++) w.writeUint(3, 8).writeRef(message)
  })
  const chunk = cellOf((w) => w.writeBit(true).writeRef(last).writeUint(3, 8).writeRef(message))
  const bulk = (declared: number) =>
    decode((w) =>
      w
        .writeUint(0x73896e75, 32)
        .writeUint(1, 32)
        .writeUint(2, 32)
        .writeUint(3, 32)
        .writeUint(declared, 8)
        .writeBit(true)
        .writeRef(chunk),
    )
  const request = bulk(5)?.['request'] as DecodedObject
  assert.equal(request['messages_count'], '5')
  assert.equal((request['messages'] as readonly DecodedObject[]).length, 5)
  assert.deepEqual(Object.keys(bulk(6)?.['request'] as DecodedObject).slice(-2), ['messages_count', 'first_chunk'])
})
