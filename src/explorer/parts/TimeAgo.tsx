import { useNow } from '../live/useNow.ts'
import { formatAge, formatTime } from '../model/times.ts'

export const TimeAgo = ({ utime }: { readonly utime: number }) => (
  <time class="time" dateTime={new Date(1000 * utime).toISOString()} title={formatTime(utime)}>
    {formatAge(utime, useNow())}
  </time>
)
