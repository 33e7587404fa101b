import assert from 'node:assert/strict'
import { test } from 'node:test'

import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { writeComment } from '../../../codec/content/text.ts'
import { packCell } from '../../../codec/stored/packCell.ts'
import { createBodyDecoder } from '../../../contracts/layouts/createBodyDecoder.ts'
import type { MessageRecord } from '../../../store/reader/TransactionRecord.ts'
import { jsonWriter } from '../../core/json/JsonWriter.ts'
import { stringifyJson, textOf } from '../../core/json/stringifyJson.ts'
import { AnswerBudget, answerLimits } from '../AnswerBudget.ts'
import { toMessageView, writeOwnMessage } from './messages.ts'

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

test('a message that appears twice is written as often and costs as much as if each were another', () => {
  const body = writeWhole(writeComment, {
    kind: 'text',
    bytes: new TextEncoder().encode('an invoice, 407620 '.repeat(20)),
  })
  const message = {
    kind: 'internal',
    hash: new Uint8Array(32).fill(3),
    body: { hash: body.hash(), packed: packCell(body) },
    value: 5n,
  } as MessageRecord
  const decoder = createBodyDecoder()
  const write = (repeated: boolean, left: number) => {
    const budget = new AnswerBudget(decoder, { signal: new AbortController().signal })
    budget.takeDecoded({ text: answerLimits.decodedText - left, steps: 0 })
    const shown = { ...message, isRepeated: repeated }
    const texts = [1, 2, 3].map(() => textOf(jsonWriter.write((writer) => writeOwnMessage(writer, shown, budget))))
    return { texts, left: budget.left }
  }
  const enough = 100_000
  const cost = (enough - write(false, enough).left.text) / 3
  assert.ok(cost > 300)
  // From no budget at all, over what is enough for one, two or three, to more.
  const lefts = [0, 1, cost - 1, cost, cost + 1, 2 * cost - 1, 2 * cost, 2 * cost + 1, 3 * cost, 3 * cost + 1, enough]
  const outcomes = new Set<string>()
  for (const left of lefts) {
    const own = write(false, left)
    assert.deepEqual(write(true, left), own, `${left} left`)
    outcomes.add(own.texts.map((text) => String(text.includes('truncated'))).join())
  }
  assert.ok(outcomes.size >= 3, [...outcomes].join(' '))
})
