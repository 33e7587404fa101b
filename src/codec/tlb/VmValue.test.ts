import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getMethodId as coreMethodId } from '@ton/core'
import fc from 'fast-check'
import { functionId, getMethodId } from './VmValue.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

test('ids of methods that every explorer calls', () => {
  const ids = {
    seqno: 85143,
    get_jetton_data: 106029,
    get_wallet_data: 97026,
    get_collection_data: 102491,
    get_nft_data: 102351,
    get_wallet_address: 103289,
    get_nft_address_by_index: 92067,
    get_nft_content: 68445,
    dnsresolve: 123660,
  }
  for (const [name, id] of Object.entries(ids)) assert.equal(getMethodId(name), id, name)
})

test('the network calls its own functions by small numbers, a get-method of the same name has another', () => {
  const special = ['recv_internal', 'main', 'recv_external', 'run_ticktock', 'split_prepare', 'split_install']
  assert.deepEqual(special.map(functionId), [0, 0, -1, -2, -3, -4])
  assert.equal(functionId('seqno'), 85143)
  assert.equal(getMethodId('recv_internal') >> 16, 1)
})

test('get-method ids agree with @ton/core', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => assert.equal(getMethodId(name), coreMethodId(name))),
    { seed, numRuns: 300 },
  )
})
