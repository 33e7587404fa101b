import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address } from '../../../test/support/sampleMessages.ts'
import { addressOf, intArgument, intOf } from '../../../test/support/stackValues.ts'
import { incomingMessage, outcomeCodes, outcomeOpcodes, TinyLedger } from '../../../test/support/TinyLedger.ts'
import { readTokenContent } from '../../../test/support/tokenContent.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { decodeUtf8 } from '../../codec/content/text.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { contractAddress } from './contractInit.ts'
import { offChainContent } from './messages.ts'
import {
  nftCollectionInit,
  nftDeployBody,
  nftItemAddress,
  nftRoyaltyBody,
  nftStaticDataBody,
  nftTransferBody,
} from './nftContracts.ts'

const TON = 1_000_000_000n
const alice = address(0, 0xa1)
const bob = address(0, 0xb0)

const createLedger = async (t: Parameters<typeof createTestMachine>[0]): Promise<TinyLedger> =>
  new TinyLedger((await createTestMachine(t)).machine)

test('items of collection are made, asked and handed on', async (t) => {
  const ledger = await createLedger(t)
  const content = offChainContent('https://example.invalid/collection.json')
  const init = nftCollectionInit({ owner: alice, content, itemPrefix: 'https://example.invalid/', royaltyPercent: 5 })
  const collection = contractAddress(init)
  const item = nftItemAddress(collection, 0n)
  const deploy = nftDeployBody(1n, 0n, TON / 10n, alice, '0.json')
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(bob, collection, TON, deploy, init))), [
    401,
    'skipped',
  ])
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(alice, collection, TON, deploy))), [0, 0])

  const [next, , owner] = await ledger.runMethod(collection, 'get_collection_data')
  assert.deepEqual([intOf(next), addressOf(owner)], [1n, formatRawAddress(alice)])
  const [at] = await ledger.runMethod(collection, 'get_nft_address_by_index', [intArgument(0n)])
  assert.equal(addressOf(at), formatRawAddress(item))
  const data = await ledger.runMethod(item, 'get_nft_data')
  assert.deepEqual(
    [intOf(data[0]), intOf(data[1]), addressOf(data[2]), addressOf(data[3])],
    [-1n, 0n, formatRawAddress(collection), formatRawAddress(alice)],
  )
  const [full] = await ledger.runMethod(collection, 'get_nft_content', [intArgument(0n), data[4]!])
  assert.equal(full?.kind, 'cell')
  if (full?.kind !== 'cell') return
  const parsed = readWhole(full.cell, readTokenContent, 'Token content')
  assert.equal(parsed.kind === 'offChain' && decodeUtf8(parsed.uri), 'https://example.invalid/0.json')

  const order = {
    queryId: 2n,
    newOwner: bob,
    responseDestination: alice,
    forwardAmount: 1000n,
    forwardPayload: undefined,
  }
  const transfer = nftTransferBody(order)
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(bob, item, TON, transfer))), [401, 'skipped'])
  const sent = await ledger.send(incomingMessage(alice, item, TON, transfer))
  assert.deepEqual(outcomeOpcodes(sent), ['5fcc3d14', '05138d91', 'd53276db'])
  assert.equal(addressOf((await ledger.runMethod(item, 'get_nft_data'))[3]), formatRawAddress(bob))

  const asked = await ledger.send(incomingMessage(bob, item, TON, nftStaticDataBody(3n)))
  assert.deepEqual(outcomeOpcodes(asked), ['2fcb26a2', '8b771735'])
  const royalty = await ledger.send(incomingMessage(bob, collection, TON, nftRoyaltyBody(4n)))
  assert.deepEqual(outcomeOpcodes(royalty), ['693d3950', 'a8cb00ad'])
  const [numerator, denominator] = await ledger.runMethod(collection, 'royalty_params')
  assert.deepEqual([intOf(numerator), intOf(denominator)], [5n, 100n])
})
