import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled } from '../../../test/support/sampleMessages.ts'
import { cell, int, scriptedMethods, slice } from '../../../test/support/scriptedMethods.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { parseAddress } from '../../primitives/Address.ts'
import { findDomainName } from './domainItems.ts'

const item = { workchain: 0, hash: filled(1) }
const main = parseAddress('0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF')
const usernames = parseAddress('0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2')

const text = (value: string) => new CellWriter().writeBytes(Buffer.from(value)).toCell()

test('names are told by the items of known collections', async () => {
  const scripted = (methods: Parameters<typeof scriptedMethods>[0][number][1]) => scriptedMethods([[item, methods]]).run
  assert.equal(await findDomainName(scripted({ get_domain: [slice(text('alice'))] }), item, main), 'alice.ton')
  assert.equal(await findDomainName(scripted({ get_domain: [cell(text('alice'))] }), item, main), 'alice.ton')
  const full = scripted({ get_full_domain: [slice(text('me\0t\0bob\0'))] })
  assert.equal(await findDomainName(full, item, usernames), 'bob.t.me')
  assert.equal(await findDomainName(full, item, main), undefined)
  assert.equal(await findDomainName(full, item, item), undefined)
  for (const result of [[], [int(1)], [slice(emptyCell)], [slice(new CellWriter().writeUint(1, 7).toCell())]]) {
    assert.equal(await findDomainName(scripted({ get_domain: result }), item, main), undefined)
  }
})
