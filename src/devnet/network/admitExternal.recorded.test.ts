import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { loadLocalnetStore } from '../../../test/support/localnetStore.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { decodeTlObject } from '../../codec/tl/tlObject.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { fromHex } from '../../primitives/hex.ts'
import { LiteserverError } from '../liteserver/LiteFunction.ts'
import { admitExternal, externalLimits, readExternalMessage } from './admitExternal.ts'
import { viewFromHead } from './headContext.ts'

type Refusal = { readonly code: number; readonly text: string }

/** The requests of the recorded node that it refused, and its answers. */
const listRefused = (): { readonly name: string; readonly body: Uint8Array; readonly refusal: Refusal }[] =>
  listFixtures('localnet/liteserver', '.json')
    .filter((name) => name.includes('-sendMessage-'))
    .flatMap((name) => {
      const { request, response_tl_hex } = readFixtureJson<{ request: { body: string }; response_tl_hex: string }>(name)
      const answer = decodeTlObject(fromHex(response_tl_hex))
      if (answer.kind !== 'liteServer.error') return []
      return [{ name, body: fromHex(request.body), refusal: { code: answer.code, text: answer.message } }]
    })

test('a message is refused in the words of the recorded node', async (t) => {
  const store = await loadLocalnetStore()
  const { machine: vm } = await createTestMachine(t, { workers: 1 })
  const utime = store.head!.genUtime
  const ask = async (body: Uint8Array): Promise<Refusal | undefined> => {
    try {
      const external = readExternalMessage(body, externalLimits(viewFromHead(store).params))
      await admitExternal(external, { store, vm, utime, randomSeed: new Uint8Array(32) })
      return undefined
    } catch (error) {
      assert.ok(error instanceof LiteserverError, String(error))
      return { code: error.serverCode, text: error.serverText }
    }
  }
  const refused = listRefused()
  assert.equal(refused.length, 3)
  for (const { name, body, refusal } of refused) assert.deepEqual(await ask(body), refusal, name)

  // What the HTTP server in front of that node told of its refusals.
  const told = listFixtures('localnet/api-v2/python/sendBoc', '.json').flatMap((name) => {
    const { request, response } = readFixtureJson<{
      request: { body?: { boc?: unknown } }
      response: { error?: string }
    }>(name)
    const text = /^LITE_SERVER_[A-Z]+: (cannot apply .*)$/s.exec(response.error ?? '')?.[1]
    const boc = request.body?.boc
    return text === undefined || typeof boc !== 'string' ? [] : [{ name, body: fromBase64(boc)!, text }]
  })
  assert.ok(told.length >= 5, `only ${told.length} refusals`)
  for (const { name, body, text } of told) assert.equal((await ask(body))?.text, text, name)
})
