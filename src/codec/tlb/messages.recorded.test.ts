import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTransactions, messageCells } from '../../../test/support/findTransactions.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../../../test/support/fixtures.ts'
import { parseAddress } from '../../primitives/Address.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { bodyHash, type Message, messageHash, normalizedExternalHash, readMessage } from './Message.ts'
import { ADDR_NONE } from './MsgAddress.ts'

type RecordedMessage = { readonly hash: string; readonly body_hash: string }
type RecordedTransaction = {
  readonly in_msg?: RecordedMessage | null
  readonly out_msgs?: readonly RecordedMessage[]
}

const recordedMessages = (): Map<string, RecordedMessage> => {
  const lines = new TextDecoder().decode(readFixture('localnet/transactions.jsonl')).trimEnd().split('\n')
  const transactions = lines.map((line) => JSON.parse(line) as RecordedTransaction)
  return new Map(
    transactions
      .flatMap(({ in_msg, out_msgs }) => [in_msg, ...(out_msgs ?? [])])
      .flatMap((message) => (message === undefined || message === null ? [] : [[message.hash, message] as const])),
  )
}

test('messages of recorded blocks: hashes and hashes of bodies', (t) => {
  const recorded = recordedMessages()
  const seen = new Set<string>()
  for (const path of listFixtures('localnet/blocks', '.boc')) {
    for (const transaction of findTransactions(decodeSingleBoc(readFixture(path), { trusted: true }))) {
      for (const cell of messageCells(transaction)) {
        const hash = toHex(cell.hash())
        if (seen.has(hash)) continue
        seen.add(hash)
        const expected = recorded.get(hash)
        assert.ok(expected !== undefined, `${hash} of ${path} is not recorded`)
        const message: Message = readWhole(cell, readMessage, 'A message')
        assert.equal(toHex(messageHash(message)), hash)
        assert.equal(toHex(bodyHash(message.body)), expected.body_hash)
      }
    }
  }
  t.diagnostic(`${seen.size} messages`)
  assert.equal(seen.size, recorded.size)
})

type ApiMessage = {
  readonly hash_norm: string
  readonly destination: string
  readonly message_content: { readonly hash: string; readonly body: string }
}

const isApiMessage = (value: object): value is ApiMessage =>
  'hash_norm' in value && typeof value.hash_norm === 'string' && 'message_content' in value

/** Every message with a normalized hash, however deep in an answer it stands. */
const listApiMessages = (value: unknown): ApiMessage[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(listApiMessages)
  return isApiMessage(value) ? [value, ...inside] : inside
}

test('normalized hashes are those that the public indexer answers', (t) => {
  if (!haveFixtures(t, 'mainnet/api-v3')) return
  let checked = 0
  for (const path of listFixtures('mainnet/api-v3', '.json')) {
    for (const { hash_norm, destination, message_content } of listApiMessages(readFixtureJson<unknown>(path))) {
      const body = decodeSingleBoc(fromBase64(message_content.body))
      assert.equal(toBase64(bodyHash(body)), message_content.hash, path)
      const address = parseAddress(destination)
      const message: Message = {
        info: {
          kind: 'externalIn',
          source: ADDR_NONE,
          destination: { kind: 'std', ...address, anycast: undefined },
          importFee: 0n,
        },
        init: undefined,
        body,
      }
      assert.equal(toBase64(normalizedExternalHash(message)), hash_norm, path)
      checked++
    }
  }
  t.diagnostic(`${checked} messages`)
  assert.ok(checked >= 45)
})
