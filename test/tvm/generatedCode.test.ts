import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { repository } from '../support/childScript.ts'
import { compareReply, readRequests, VmRequests } from '../support/vmRequests.ts'

// Generated programs with the answers of another implementation, kept by scripts/vmCampaign.ts.
const FILE = join(repository, 'test/tvm/generatedCode.jsonl.gz')

test('generated programs of all versions end as they do in another implementation', async () => {
  const machine = new VmRequests()
  const exitCodes = new Set<unknown>()
  let runs = 0
  for await (const request of readRequests(FILE)) {
    const reply = machine.run(request)
    assert.deepEqual(compareReply(reply, request.expect ?? {}), [], JSON.stringify(request))
    exitCodes.add(reply['exitCode'])
    runs++
  }
  assert.ok(runs > 2900)
  // The exceptions that random code raises come up.
  for (const code of [0, 2, 4, 5, 6, 7, 9]) assert.ok(exitCodes.has(code), `no run ended with ${code}`)
})

// Transactions in which another implementation is wrong, judged by the source of the reference; decision 22 lists the kinds.
const JUDGED = join(repository, 'test/tvm/judgedTransactions.jsonl.gz')

test('transactions that another implementation gets wrong come out as they were judged', async () => {
  const machine = new VmRequests()
  let runs = 0
  for await (const request of readRequests(JUDGED)) {
    assert.deepEqual(compareReply(machine.run(request), request.expect ?? {}), [], JSON.stringify(request))
    runs++
  }
  assert.ok(runs > 110)
})
