import { rate } from '../gatewayKinds.ts'
import { duration, integer, text } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const keysSettings = {
  plan: setting({
    flag: '--plan',
    inFile: false,
    group: 'Keys (the command keys)',
    about: 'For keys create: free, plus, advanced, custom, or one that --define-plan names.',
    kind: text('name', 'the name of a plan'),
    default: 'free',
  }),
  rate: setting({
    flag: '--rate',
    inFile: false,
    group: 'Keys (the command keys)',
    about: 'For keys create with --plan custom: how much the key may ask.',
    kind: rate(),
    default: undefined,
  }),
  owner: setting({
    flag: '--owner',
    inFile: false,
    group: 'Keys (the command keys)',
    about: 'For keys create: whose key it is. Keys of one owner and plan share what they may ask.',
    kind: text('name', 'a name'),
    default: undefined,
  }),
  note: setting({
    flag: '--note',
    inFile: false,
    group: 'Keys (the command keys)',
    about: 'For keys create: what the key is for.',
    kind: text('text', 'a text'),
    default: undefined,
  }),
  overlap: setting({
    flag: '--overlap',
    inFile: false,
    group: 'Keys (the command keys)',
    about: 'For keys rotate: how long the old key goes on working.',
    kind: duration({ minMs: 0, maxMs: 365 * 86_400_000 }),
    default: 86_400_000,
  }),
  days: setting({
    flag: '--days',
    inFile: false,
    group: 'Keys (the command keys)',
    about: 'For keys usage: how many days are counted, today included.',
    kind: integer({ min: 1, max: 3650 }),
    default: 30,
  }),
} as const satisfies Settings
