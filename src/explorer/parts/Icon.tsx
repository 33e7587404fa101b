const paths = {
  search: 'M11 11l3.5 3.5M12.5 7.25a5.25 5.25 0 11-10.5 0 5.25 5.25 0 0110.5 0z',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  sun: 'M8 5a3 3 0 100 6 3 3 0 000-6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13.5 9.5A6 6 0 016.5 2.5a5.8 5.8 0 107 7z',
  auto: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 2v12M8 5l3.6-.8M8 8h6M8 11l3.6.8',
  keys: 'M1.5 4.5h13v7h-13zM4 7h.5M7 7h.5M10 7h.5M5 9.2h6',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  back: 'M13 8H3M7 4L3 8l4 4',
  drop: 'M8 2c2.5 3 4 5 4 7a4 4 0 11-8 0c0-2 1.5-4 4-7z',
  send: 'M14 2L2 7l5 2 2 5z',
  block: 'M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.5 4.8L8 8l5.5-3.2M8 8v6.2',
  account: 'M8 8a2.75 2.75 0 100-5.5A2.75 2.75 0 008 8zM2.75 13.5c.6-2.3 2.6-3.5 5.25-3.5s4.65 1.2 5.25 3.5',
  transaction: 'M2.5 5.5h10M9.5 2.5l3 3-3 3M13.5 10.5h-10M6.5 7.5l-3 3 3 3',
  tree: 'M4.5 8h3M7.5 8V4h3M7.5 8v4h3M2 6.5h2.5v3H2zM10.5 2.5H14v3h-3.5zM10.5 10.5H14v3h-3.5z',
  globe: 'M8 2a6 6 0 100 12A6 6 0 008 2zM2.2 8h11.6M8 2c4 4 4 8 0 12M8 2c-4 4-4 8 0 12',
  clock: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 4.8V8l2.2 1.6',
  gauge: 'M2.5 11.5a6 6 0 1111 0M8 10l2.5-3.5',
  warning: 'M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2',
} as const

export type IconName = keyof typeof paths

/** Only beside words, or in something that has a label of its own. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
