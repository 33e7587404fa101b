import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addPage,
  findPage,
  findSkipEnd,
  findStep,
  pageStart,
  registersBefore,
  type StackValue,
  type Step,
  type StepPage,
  stackBefore,
} from './vmSteps.ts'

const int = (value: number): StackValue => ({ t: 'int', v: String(value) })

const step = (i: number, more: Partial<Step> = {}): Step => ({
  i,
  cell: '',
  offset: 0,
  op: 'NOP',
  gas: 18,
  left: 0,
  d: 0,
  ...more,
})

const page = (from: number, count: number, more: Partial<StepPage> = {}): StepPage => ({
  from,
  steps: Array.from({ length: count }, (_, index) => step(from + index, { pop: 0, push: [int(from + index)] })),
  checkpoints: { [from]: [] },
  registers: {},
  cells: {},
  ...more,
})

test('the stack of a step comes from the nearest checkpoint and the differences after it', () => {
  const steps = [
    step(256, { pop: 0, push: [int(1), int(2)] }),
    step(257, { pop: 2, push: [int(3)] }),
    step(258, { pop: 1, push: [] }),
    step(259, { pop: 9, push: [int(7)] }),
  ]
  const own = page(256, 0, { steps, checkpoints: { 256: [int(9)] } })
  assert.deepEqual(stackBefore(own, 256), [int(9)])
  assert.deepEqual(stackBefore(own, 257), [int(9), int(1), int(2)])
  assert.deepEqual(stackBefore(own, 258), [int(9), int(3)])
  assert.deepEqual(stackBefore(own, 259), [int(9)])
  assert.deepEqual(stackBefore(own, 260), [int(7)])
  const later = page(256, 0, { steps, checkpoints: { 256: [int(9)], 258: [int(5)] } })
  assert.deepEqual(stackBefore(later, 259), [])
})

test('registers are those of the first step of the page, with what each step changed', () => {
  const steps = [
    step(0, { reg: { c4: 'new', c7: { '1': int(1) } } }),
    step(1, { reg: { c7: { '0': { t: 'null' } } } }),
    step(2),
  ]
  const own = page(0, 0, { steps, registers: { c4: 'old', c5: 'empty', c7: { '0.1': int(5), '2': int(6) } } })
  assert.deepEqual(registersBefore(own, 0), own.registers)
  assert.deepEqual(registersBefore(own, 1), { c4: 'new', c5: 'empty', c7: { '0.1': int(5), '1': int(1), '2': int(6) } })
  assert.deepEqual(registersBefore(own, 2).c7, { '0': { t: 'null' }, '1': int(1), '2': int(6) })
})

test('pages are found by step, loaded from their start or from where the server stopped, and the oldest dropped', () => {
  const pages = addPage(addPage([], page(0, 1024)), page(1024, 300))
  assert.equal(findStep(pages, 1023)!.i, 1023)
  assert.equal(findStep(pages, 1324), undefined)
  assert.equal(pageStart([], 1500), 1024)
  assert.equal(pageStart(pages, 1500), 1324)
  assert.equal(pageStart(pages, 2048), 2048)
  let many = pages
  for (let at = 2; at < 20; at++) many = addPage(many, page(1024 * at, 1))
  assert.equal(many.length, 8)
  assert.equal(findPage(many, 0), undefined)
})

test('over goes past calls, out returns from one', () => {
  const steps = [1, 2, 3, 2, 1, 0].map((d, index) => ({ i: 10 + index, d }))
  assert.equal(findSkipEnd(steps.slice(1), 'over', 1), 14)
  assert.equal(findSkipEnd(steps.slice(3), 'over', 3), 13)
  assert.equal(findSkipEnd(steps.slice(2), 'out', 2), 14)
  assert.equal(findSkipEnd(steps, 'out', 0), undefined)
})
