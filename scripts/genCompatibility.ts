// Writes docs/compatibility.md: every endpoint of v2 and v3, and every way in which answers differ from what the services that
// clients come from publish or were recorded with, from the lists that the tests hold us to. With --check it compares instead.
import { incomparable, knownDifferences, unordered } from '../src/actions/conformance/compareActions.ts'
import { type Endpoint, methodsOf } from '../src/api/core/Endpoint.ts'
import { v2 } from '../src/api/v2/index.ts'
import { answerLimits } from '../src/api/v3/AnswerBudget.ts'
import { v3 } from '../src/api/v3/index.ts'
import {
  differences,
  notServed as v2NotServed,
  shapeDifferences as v2Shapes,
} from '../test/conformance/v2/differences.ts'
import {
  descriptionAdditions,
  descriptionDifferences,
  notServed,
  shapeDifferences as v3Shapes,
} from '../test/conformance/v3/differences.ts'
import { writeGenerated } from './writeGenerated.ts'

const mib = (characters: number): string => `${characters / (1 << 20)} MiB`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (text: string): string => `\`${cell(text)}\``
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Reasons begin with the section of a contract that readers of this page do not have. */
const plainReason = (reason: string): string =>
  reason
    .replace(/^(Sections? |Appendix |Issue )?[0-9A][0-9., #]*( DEV| \[R\])?: /, '')
    .replace(/^README: /, '')
    .replace(/ \((10\.|README|section|7\.)[^)]*\)/g, '')
    .replace(/^./, (letter) => letter.toUpperCase())

type Explained = { readonly lines: RegExp; readonly reason: string }

const explained = (list: readonly Explained[]): string =>
  table(
    ['why', 'where (the lines of the comparison that it explains)'],
    list.map(({ lines, reason }) => [cell(plainReason(reason)), code(lines.source)]),
  )

const endpoints = (prefix: string, list: readonly Endpoint[]): string =>
  table(
    ['endpoint', 'by', 'what it answers'],
    list.map((endpoint) => [
      code(`${prefix}/${endpoint.name}`),
      methodsOf(endpoint).join(', '),
      cell(endpoint.summary),
    ]),
  )

// How a comparison is made says nothing about answers: recordings are of another moment and of a network that stands still.
const aboutComparing = new Set([
  'no such question',
  'a recording takes no messages',
  'head of the chain',
  'of the moment',
  'storage until now',
])

const costlyFilters: readonly (readonly string[])[] = [
  [
    code('/messages'),
    'two or more of `source`, `destination`, `body_hash`, `opcode`',
    'each of them has hundreds of thousands of messages, and hardly any is in all of them',
  ],
  [
    code('/transactionsByMessage'),
    '`body_hash` or `opcode` with each other, `source` or `destination`; `body_hash` with `direction=out`',
    'likewise; or the page needs more than 50,000 messages, since their senders sent hundreds of them each',
  ],
  [code('/transactionsByMessage'), '`msg_hash`', 'more than 50,000 transactions received these messages'],
  [
    code('/transactions'),
    '`exclude_account`, which the original ignores; `account` with `shard`',
    'the accounts left out, or the other shards of the account, have hundreds of thousands of transactions in a row',
  ],
  [
    `${code('/traces')}, ${code('/events')}`,
    '`account`',
    'the account has hundreds of thousands of transactions in a row that belong to few traces or to none that is finished',
  ],
]

writeGenerated(
  'docs/compatibility.md',
  `# Compatibility

Written by \`scripts/genCompatibility.ts\` from \`src/api\` and \`test/conformance\`; do not edit. The lists below are the ones that the
tests use: a difference that is not listed fails them, and so does one that is listed and no longer there.

- **v2** follows the 2.1 line of the public HTTP interface, over REST and JSON-RPC. Answers are compared with recordings of a service of the
  2.0 line, of the node client, and of the hosted service, member by member.
- **v3** follows the published description of the indexed interface, the older names of some endpoints included, and recorded
  answers.
- Below \`/ton/api\` names are spelled as existing clients expect; below \`/api\` the same answers are spelled neutrally.

## v2: ${v2.endpoints.length} endpoints

Each is also a method of JSON-RPC at \`/api/v2/jsonRPC\`, except for \`healthcheck\`.

${endpoints(v2.prefix, v2.endpoints as readonly Endpoint[])}

### Methods of the 2.0 line that are not served

${table(
  ['method', 'why'],
  [...v2NotServed].map(([method, reason]) => [code(method), cell(plainReason(reason))]),
)}

### Where v2 answers otherwise than a service of the 2.0 line

${table(
  ['difference', 'why'],
  differences
    .filter(({ name }) => !aboutComparing.has(name))
    .map(({ name, reason }) => [cell(name), cell(plainReason(reason))]),
)}

### Where the shape differs from what the hosted service printed when it was recorded

${explained(v2Shapes)}

## v3: ${v3.endpoints.length} endpoints

${endpoints(v3.prefix, v3.endpoints as readonly Endpoint[])}

### Where our description does not keep what the published one promises

${explained(descriptionDifferences)}

### What it has beyond

${explained(descriptionAdditions)}

### How large an answer can be

| part of one answer | limit | beyond it |
| --- | --- | --- |
| one decoded body | 64 KiB, or 8 characters for each byte of the body | parts of it are \`{"@type":"truncated"}\` |
| all decoded bodies | ${mib(answerLimits.decodedText)} | \`decoded\` of the others is \`{"@type":"truncated"}\` |
| all bodies, initial states and payloads | ${mib(answerLimits.bodyText)} | \`body\` of the others is null, and \`decoded\` says truncated |
| the whole | ${mib(answerLimits.text)} | 422, with a hint to use a lower limit |

No row is ever left out of a page.

### Not served

${table(
  ['path', 'why'],
  [...notServed].map(([path, reason]) => [code(path), cell(plainReason(reason))]),
)}

### Where the shape of answers differs from recorded ones

${explained(v3Shapes)}

### What may be refused for its cost

Every filter alone, in either direction, with or without a window, has an index that leads to its rows in order. Where several filters
are given, the one with the fewest rows leads, and the others are compared row by row for as long as the database has (3 s, which is also what
the original gives a query). Where that is not enough the original answers 500; here it is 422 \`query_too_costly\`, with what to narrow.
That can be only:

${table(['endpoint', 'filters', 'when'], costlyFilters)}

## Actions

${
  knownDifferences.length === 0
    ? 'All recorded traces come to the recorded actions.'
    : table(
        ['recorded trace', 'why it comes to something else'],
        knownDifferences.map(({ traceFile, reason }) => [code(traceFile), cell(plainReason(reason))]),
      )
}

Of details, these are not compared, or without regard to their order:

${table(
  ['member', 'why'],
  [...Object.entries(incomparable), ...Object.entries(unordered)].map(([member, reason]) => [
    code(member),
    cell(reason),
  ]),
)}
`,
)
