import assert from 'node:assert/strict'
import { test } from 'node:test'

import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { writeComment } from '../../../codec/content/text.ts'
import { packCell } from '../../../codec/stored/packCell.ts'
import { createBodyDecoder } from '../../../contracts/layouts/createBodyDecoder.ts'
import type { MessageRecord } from '../../../store/reader/TransactionRecord.ts'
import { stringifyJson } from '../../core/json/stringifyJson.ts'
import { AnswerBudget } from '../AnswerBudget.ts'
import { toMessageView } from './messages.ts'

test('a body from the cache costs a response what it cost to decode', () => {
  const body = writeWhole(writeComment, { kind: 'text', bytes: new TextEncoder().encode('a comment') })
  const message = {
    kind: 'internal',
    hash: new Uint8Array(32),
    body: { hash: body.hash(), packed: packCell(body) },
  } as MessageRecord
  const decoder = createBodyDecoder()
  const write = () => {
    const budget = new AnswerBudget(decoder, { signal: new AbortController().signal })
    const before = budget.decodingLeft
    return { text: stringifyJson(toMessageView(message, budget)), cost: budget.costSince(before) }
  }
  const first = write()
  assert.ok(first.cost.text > 0 && first.cost.steps > 0)
  assert.deepEqual(write(), first)
})
