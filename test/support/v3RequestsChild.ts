// Asks a v3 server for what is new, 200 times a second, in a process of its own. It tells its parent the result when it is told to end.
import { type OfferResult, offerLoad, rawGet } from './httpLoad.ts'

const PER_SECOND = 200
const SECOND_MS = 1000
const PATHS = [
  'transactions',
  'messages?limit=20',
  'traces',
  'blocks',
  'actions',
  'masterchainInfo',
  'jetton/transfers',
]

const [url = ''] = process.argv.slice(2)
let asked = 0
let isEnding = false
process.on('message', () => {
  isEnding = true
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
const results: OfferResult[] = []
const next = () => rawGet(url, `/api/v3/${PATHS[asked++ % PATHS.length]}`)
while (!isEnding) {
  results.push(await offerLoad(url, next, { perSecond: PER_SECOND, durationMs: SECOND_MS, maxConnections: 64 }))
}
const sum = (of: (result: OfferResult) => number): number => results.reduce((total, result) => total + of(result), 0)
process.send?.({
  perSecond: sum(({ statuses }) => statuses.get(200) ?? 0) / sum(({ seconds }) => seconds),
  failed: sum(({ offered, statuses }) => offered - (statuses.get(200) ?? 0)),
  worstP99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
})
