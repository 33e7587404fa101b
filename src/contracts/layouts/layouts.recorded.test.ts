import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../../../test/support/fixtures.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeBoc } from '../../codec/cell/decodeBoc.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { builtInLayouts } from './builtInLayouts.ts'
import { createBodyDecoder, toMessageForm } from './createBodyDecoder.ts'
import type { DecodedObject } from './DecodedValue.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

type RecordedMessage = {
  readonly opcode: string | null
  readonly decoded_opcode?: string | null
  readonly message_content: { readonly body: string | null; readonly decoded?: JsonObject | null } | null
}

const decoder = createBodyDecoder()

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listMessages = (value: Json): RecordedMessage[] => {
  if (Array.isArray(value)) return value.flatMap(listMessages)
  if (!isObject(value)) return []
  const below = Object.values(value).flatMap(listMessages)
  return isObject(value['message_content']) ? [value as unknown as RecordedMessage, ...below] : below
}

const openBody = (body: string): Cell => decodeBoc(fromBase64(body))[0]!

/**
 * Answers were recorded over a year, from several versions of the server. The oldest decoded comments only, out of a
 * database that cannot hold NUL (it has blanks for them); the next
 * had `{type, data}` with shorter values; one of them showed one member of each body, picked at random. `decoded` of
 * the emulation service has no other bodies than comments. What such a version says of a body is compared as far as it goes;
 * that it says nothing of a body is no difference.
 */
type Form = 'current' | 'comment' | 'envelope' | 'one member' | 'absent'

const formOf = (decoded: JsonObject | null | undefined): Form => {
  if (decoded === null || decoded === undefined) return 'absent'
  if ('@type' in decoded) return 'current'
  if ('comment' in decoded) return 'comment'
  const { data } = decoded
  if (decoded['type'] === '@type' || decoded['type'] === '' || !isObject(data) || '@type' in data) return 'one member'
  return 'envelope'
}

const messageNames = new Set([...builtInLayouts().messages.values()].flat().map(({ name }) => name))

/** In envelopes, constructors without fields were bare names, decoded cells had their name as the one member, and an
 * address stood in one more object. */
const bareNames = new Set(['nothing_from_maybe', 'addr_none', 'vault', 'pool', 'native', 'hashmap_empty', 'empty_cell'])

const fromEnvelope = (value: Json): Json => {
  if (value === 'true' || value === 'false') return value === 'true'
  if (typeof value === 'string') return bareNames.has(value) ? { '@type': value } : value
  if (!isObject(value)) return value
  const inner = value['internal_address'] ?? value['external_address']
  if (inner !== undefined && Object.keys(value).length === 1) return fromEnvelope(inner)
  const [name = ''] = Object.keys(value)
  if (messageNames.has(name) && isObject(value[name]))
    return { '@type': name, ...(fromEnvelope(value[name]) as JsonObject) }
  if ('empty_cell' in value) return { '@type': 'empty_cell' }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => (key === 'type' ? ['@type', member] : [key, fromEnvelope(member)])),
  )
}

const compare = (form: Form, recorded: JsonObject, ours: DecodedObject | undefined): void => {
  if (form === 'current') assert.deepEqual(ours === undefined ? undefined : toMessageFormIf(recorded, ours), recorded)
  else if (form === 'comment') assert.equal(String(ours?.['text']).replaceAll('\0', ' '), recorded['comment'])
  else if (form === 'one member') assert.deepEqual(ours?.[recorded['type'] as string], recorded['data'])
  else assert.deepEqual(ours, { '@type': recorded['type'], ...(fromEnvelope(recorded['data']!) as JsonObject) })
}

const toMessageFormIf = (recorded: JsonObject, ours: DecodedObject): DecodedObject =>
  'comment' in recorded ? toMessageForm(ours) : ours

/** Bodies that older versions and the emulation service said nothing of, and that are decoded now: no other differences. */
const olderSilences: Readonly<Record<string, number>> = {
  empty_cell: 12,
  bounce: 7,
  excess: 16,
  jetton_burn: 2,
  jetton_burn_notification: 2,
  jetton_internal_transfer: 6,
  jetton_notify: 6,
  jetton_transfer: 11,
  nft_ownership_assigned: 6,
  nft_transfer: 10,
  pton_ton_transfer: 1,
  // The sender is another bridge, whose request happens to have the shape of this one.
  pyth_parse_price_feed_updates: 5,
  teleitem_msg_start_auction: 4,
  teleitem_ok: 4,
  highload_v3_internal_request: 10,
  highload_wallet_signed_v2: 1,
  highload_wallet_signed_v3: 5,
  w5_external_signed_request: 14,
  w5_internal_signed_request: 2,
  wallet_signed_v3: 13,
  wallet_signed_v4: 23,
}

test('bodies of recorded answers decode to what was answered', (t) => {
  if (!haveFixtures(t, 'mainnet/api-v3')) return
  const counts: Record<Form, number> = { current: 0, comment: 0, envelope: 0, 'one member': 0, absent: 0 }
  let names = 0
  let nullsOfCurrent = 0
  const silences: Record<string, number> = {}
  for (const path of listFixtures('mainnet/api-v3', '.json')) {
    const messages = listMessages(readFixtureJson<Json>(path))
    const isCurrent = messages.some(({ message_content: content }) => formOf(content?.decoded) === 'current')
    for (const { opcode, decoded_opcode: name, message_content: content } of messages) {
      if (content === null || content.body === null) continue
      const ours = decoder.decode(openBody(content.body))
      const form = formOf(content.decoded)
      counts[form]++
      const what = `${path}, ${opcode}`
      if (form !== 'absent') {
        try {
          compare(form, content.decoded!, ours)
        } catch (error) {
          throw new Error(`${what}, ${form}`, { cause: error })
        }
      } else if (isCurrent) {
        // A server that decodes all it knows did not know this one.
        assert.equal(ours, undefined, what)
        nullsOfCurrent++
      } else if (ours !== undefined) {
        const type = String(ours['@type'])
        silences[type] = (silences[type] ?? 0) + 1
      }
      if (name !== undefined && opcode !== null) {
        assert.equal(decoder.nameOf(Number(opcode)) ?? null, name || null, what)
        names++
      }
    }
  }
  assert.deepEqual(counts, { current: 134, comment: 18, envelope: 113, 'one member': 15, absent: 321 })
  assert.deepEqual({ names, nullsOfCurrent }, { names: 273, nullsOfCurrent: 3 })
  assert.deepEqual(silences, olderSilences)
})

test('bodies of recorded traces', (t) => {
  if (!haveFixtures(t, 'actions/traces')) return
  type TraceMessage = { readonly body?: string | null; readonly opcode: string | null }
  type Trace = { transactions: { in_msg: TraceMessage | null; out_msgs: TraceMessage[] }[] }
  let bodies = 0
  let decoded = 0
  let named = 0
  for (const path of listFixtures('actions/traces', '.json.gz')) {
    const { transactions } = JSON.parse(gunzipSync(readFixture(path)).toString()) as Trace
    for (const message of transactions.flatMap(({ in_msg, out_msgs }) => (in_msg ? [in_msg, ...out_msgs] : out_msgs))) {
      if (typeof message.body !== 'string') continue
      bodies++
      if (decoder.decode(openBody(message.body)) !== undefined) decoded++
      if (message.opcode !== null && decoder.nameOf(Number(message.opcode)) !== undefined) named++
    }
  }
  assert.deepEqual({ bodies, decoded, named }, { bodies: 1477, decoded: 1285, named: 1209 })
})
