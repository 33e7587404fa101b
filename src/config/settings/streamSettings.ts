import { duration, integer, list, streamPlan, urlPrefix } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const streamSettings = {
  streamPrefixes: setting({
    flag: '--stream-prefix',
    env: 'CHAINCENTER_STREAM_PREFIXES',
    group: 'Streaming',
    about: 'Further path below which streaming is served, besides /api/streaming and /ton/api/streaming; repeatable.',
    kind: list(urlPrefix()),
    default: [],
  }),
  streamPlans: setting({
    flag: '--stream-plan',
    env: 'CHAINCENTER_STREAM_PLANS',
    group: 'Streaming',
    about:
      'Streaming limits of a plan: connections, addresses per connection, and how far back a replay may begin; - is no limit, and /all at the end allows every address. Default: anonymous=1/10/1h, free=2/100/1d, plus=10/1000/30d, advanced=50/10000/-; repeatable.',
    kind: list(streamPlan()),
    default: [],
  }),
  streamStall: setting({
    flag: '--stream-stall',
    env: 'CHAINCENTER_STREAM_STALL',
    group: 'Streaming',
    about: 'A connection that takes no bytes for this long is closed. Its client resumes without loss.',
    kind: duration({ minMs: 1000, maxMs: 3_600_000 }),
    default: 60_000,
  }),
  streamReplayRate: setting({
    flag: '--stream-replay-rate',
    env: 'CHAINCENTER_STREAM_REPLAY_RATE',
    group: 'Streaming',
    about: 'Maximum number of events per second for a connection that catches up.',
    kind: integer({ min: 1, max: 1_000_000 }),
    default: 2000,
  }),
  streamMemory: setting({
    flag: '--stream-memory',
    env: 'CHAINCENTER_STREAM_MEMORY',
    group: 'Streaming',
    about: 'Memory for the events of recent blocks, in MiB.',
    kind: integer({ min: 1, max: 65_536 }),
    default: 64,
  }),
} as const satisfies Settings
