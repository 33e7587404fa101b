import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../../observe/Metrics.ts'
import { createInspectStats } from '../inspect/Detector.ts'
import { createInspectMetrics } from './StageMetrics.ts'

test('what several inspectors do adds up, each thing once', () => {
  const metrics = new Metrics()
  const follow = createInspectMetrics(metrics)
  const [one, two] = [createInspectStats(), createInspectStats()]
  const [tellOne, tellTwo] = [follow(one), follow(two)]
  const find = (name: string): number | undefined => {
    const line = metrics
      .format()
      .split('\n')
      .find((each) => each.startsWith(`chaincenter_indexer_${name} `))
    return line === undefined ? undefined : Number(line.split(' ').at(-1))
  }
  one.runs = 5
  one.detected.jetton_wallets = 2
  one.failedRuns.gas = 1
  tellOne()
  tellOne()
  two.runs = 7
  two.refused['nftItem'] = 3
  one.runs = 6
  one.events = 4
  tellTwo()
  tellOne()
  assert.equal(find('method_runs_total{outcome="run"}'), 13)
  assert.equal(find('method_runs_total{outcome="cached"}'), 0)
  assert.equal(find('detected_contracts_total{table="jetton_wallets"}'), 2)
  assert.equal(find('method_failures_total{reason="gas"}'), 1)
  assert.equal(find('refused_contracts_total{kind="nftItem"}'), 3)
  assert.equal(find('token_events_total'), 4)
})
