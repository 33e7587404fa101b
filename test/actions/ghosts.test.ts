import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { writeMessage } from '../../src/codec/tlb/Message.ts'
import { ADDR_NONE } from '../../src/codec/tlb/MsgAddress.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { addressOf, body, cell, classifySteps, text, writeNamed } from '../support/actionTrace.ts'
import { amount } from '../support/sampleMessages.ts'

const message = (to: string, content: Cell): Cell =>
  writeWhole(writeMessage, {
    info: {
      kind: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      source: ADDR_NONE,
      destination: { kind: 'std', ...parseAddress(addressOf(to)), anycast: undefined },
      value: amount(50n),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init: undefined,
    body: content,
  })

const transfer = body(0x0f8a7ea5, (w) => {
  writeNamed(writeNamed(w.writeUint64(7n).writeCoins(90n), 'bob'), 'wallet').writeMaybeRef(undefined)
  w.writeCoins(1n).writeBit(false)
})
const sent = [
  message('wallet of jettons', transfer),
  message('bob', text('hello')),
  message('contract', body(0x595f07bc)),
]

const signed = (opBits: number): Cell =>
  cell((w) => {
    w.writeBytes(new Uint8Array(64)).writeUint(1, 32).writeUint(2, 32).writeUint(3, 32).writeUint(0, opBits)
    for (const each of sent) w.writeUint(3, 8).writeRef(each)
  })
const chained = cell((w) => {
  const actions = sent.reduce(
    (before, each) => cell((a) => a.writeRef(before).writeUint(0x0ec3c86d, 32).writeUint(3, 8).writeRef(each)),
    emptyCell,
  )
  w.writeUint(0x7369676e, 32).writeUint(1, 32).writeUint(2, 32).writeUint(3, 32).writeMaybeRef(actions)
  w.writeBit(false).writeBytes(new Uint8Array(64))
})

const requests: readonly (readonly [string, Cell])[] = [
  ['v3', signed(0)],
  ['v4', signed(8)],
  ['v5', chained],
]

const common = {
  success: false,
  accounts: ['wallet'],
  transactions: ['wallet.1'],
  ancestors: [],
}

for (const [version, request] of requests) {
  test(`what a wallet ${version} was asked to send and never did`, () => {
    const known = {
      'wallet of jettons': { jettonWallet: { owner: addressOf('wallet'), jetton: addressOf('master') } },
    }
    const rows = classifySteps({ to: 'wallet', body: request, aborted: true }, known)
    // The last message stands first in a request of the fifth version.
    assert.deepEqual(version === 'v5' ? rows.reverse() : rows, [
      {
        ...common,
        type: 'jetton_transfer',
        accounts: ['wallet', 'wallet of jettons'],
        details: {
          asset: 'master',
          sender: 'wallet',
          receiver: 'bob',
          sender_jetton_wallet: 'wallet of jettons',
          receiver_jetton_wallet: null,
          amount: '90',
          comment: null,
          is_encrypted_comment: false,
          query_id: '7',
          response_destination: 'wallet',
          custom_payload: null,
          forward_payload: null,
          forward_amount: '1',
        },
      },
      {
        ...common,
        type: 'ton_transfer',
        details: {
          source: 'wallet',
          destination: 'bob',
          value: '50',
          value_extra_currencies: {},
          comment: 'hello',
          encrypted: false,
        },
      },
      {
        ...common,
        type: 'call_contract',
        details: {
          opcode: '0x595f07bc',
          source: 'wallet',
          destination: 'contract',
          value: '50',
          extra_currencies: {},
        },
      },
    ])
  })
}

test('a request of which nothing can be read', () => {
  const [row, ...others] = classifySteps({ to: 'wallet', body: body(0x12345678) })
  assert.deepEqual(others, [])
  assert.deepEqual([row?.type, row?.success, row?.accounts], ['unknown', true, ['wallet']])
})
