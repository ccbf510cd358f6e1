import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { toastError } from '../feedback/toast.tsx'
import text from '../theme/text.module.css'
import classes from './Player.module.css'

const playbackSpeeds = [1, 1.5, 2] as const
const playbackSpeedKey = 'leadline.recording-speed'
const readPlaybackSpeed = () =>
  playbackSpeeds.find((speed) => String(speed) === localStorage.getItem(playbackSpeedKey)) ?? 1

/** Only one recording plays at a time: starting another stops this one. */
let playingAudio: HTMLAudioElement | null = null

/** Plays or pauses the recording inside this element. */
export function toggleRecording(element: HTMLElement) {
  const audio = element.querySelector('audio')
  if (!audio) element.querySelector<HTMLButtonElement>('button[data-plays]')?.click()
  else if (audio.paused) void audio.play().catch(() => undefined)
  else audio.pause()
}

/** Seeks by so many seconds in the recording inside this element. */
export function seekRecording(element: HTMLElement, seconds: number) {
  const audio = element.querySelector('audio')
  if (audio && Number.isFinite(audio.duration))
    audio.currentTime = Math.min(audio.duration, Math.max(0, audio.currentTime + seconds))
}

/** Stops the recording that is playing. */
export const stopRecordings = () => playingAudio?.pause()

type RecordingPlayerProps = {
  /** The duration, as the button shows it. */
  length: string | null
  /** Fetches the address each time before playing: an address expires after a few minutes. */
  addressOf: () => Promise<string>
  /** An address that is known already: the player is shown at once. */
  source?: string | null
  /** Called when `source` starts to play. */
  onPlayed?: () => void
}

/** A call's recording: a button with its length, replaced by a player of the same height on click. */
export function RecordingPlayer({ length, addressOf, source: ready = null, onPlayed }: RecordingPlayerProps) {
  const [source, setSource] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

  async function play() {
    setAsking(true)
    try {
      setSource(await addressOf())
    } catch (problem) {
      toastError(problem)
    } finally {
      setAsking(false)
    }
  }
  const address = source ?? ready
  if (address)
    return (
      <RecordingAudio
        key={address}
        source={address}
        length={length}
        starts={source !== null}
        onPlayed={source === null ? onPlayed : undefined}
        onStale={() => void play()}
      />
    )
  return (
    <button
      type="button"
      data-plays
      className={classes.play}
      data-hover
      aria-label={`Play the recording, ${length ?? 'unknown length'}`}
      aria-busy={asking || undefined}
      onClick={() => asking || void play()}
    >
      <IconPlayerPlay size={14} aria-hidden="true" />
      {length ?? 'Play'}
    </button>
  )
}

type RecordingAudioProps = {
  source: string
  length: string | null
  /** Whether to play as soon as it is loaded. */
  starts: boolean
  onPlayed: (() => void) | undefined
  onStale: () => void
}

function RecordingAudio({ source, length, starts, onPlayed, onStale }: RecordingAudioProps) {
  const audio = useRef<HTMLAudioElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [speed, setSpeed] = useState<number>(readPlaybackSpeed)
  const [state, setState] = useState({ playing: false, at: 0, of: 0 })
  const [failed, setFailed] = useState(false)
  const wasPlayed = useRef(false)
  useEffect(() => {
    const element = audio.current
    return () => element?.pause() // a removed element would keep playing for a moment
  }, [])
  useEffect(() => {
    // The button that was pressed is gone.
    if (starts && document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [starts])

  function choose(next: number) {
    localStorage.setItem(playbackSpeedKey, String(next))
    setSpeed(next)
    if (audio.current) audio.current.playbackRate = next
  }
  function started(element: HTMLAudioElement) {
    if (playingAudio !== element) playingAudio?.pause()
    playingAudio = element
    element.playbackRate = speed
    if (!wasPlayed.current) onPlayed?.()
    wasPlayed.current = true
    follow(element)
  }
  const follow = ({ paused, currentTime, duration }: HTMLAudioElement) =>
    setState({ playing: !paused, at: currentTime, of: Number.isFinite(duration) ? duration : 0 })
  if (failed)
    return (
      <p className={`${text.bad} ${classes.failed}`}>
        The recording cannot be played right now.{' '}
        <button type="button" onClick={onStale}>
          Try again
        </button>
      </p>
    )
  const { playing, at, of } = state
  const total = of > 0 ? formatSeconds(of) : length
  return (
    <div className={classes.sound}>
      {/* biome-ignore lint/a11y/useMediaCaption: there is no transcript. */}
      <audio
        ref={audio}
        controls // without them browsers render no player; ours covers it
        inert
        autoPlay={starts}
        preload={starts ? 'auto' : 'none'}
        src={source}
        onPlay={(event) => started(event.currentTarget)}
        onPause={(event) => follow(event.currentTarget)}
        onTimeUpdate={(event) => follow(event.currentTarget)}
        onDurationChange={(event) => follow(event.currentTarget)}
        onError={() => setFailed(true)}
      />
      <button
        ref={button}
        type="button"
        className={classes.play}
        data-hover
        aria-label={
          playing
            ? `Pause the recording, ${formatSeconds(at)}`
            : starts || at > 0
              ? `Continue the recording, ${at > 0 ? formatSeconds(at) : (length ?? 'Play')}`
              : `Play the recording, ${length ?? 'unknown length'}`
        }
        onClick={(event) => toggleRecording(event.currentTarget.parentElement!)}
      >
        {playing ? <IconPlayerPause size={14} aria-hidden="true" /> : <IconPlayerPlay size={14} aria-hidden="true" />}
        {at > 0 || playing ? formatSeconds(at) : (length ?? 'Play')}
      </button>
      <input
        type="range"
        className={classes.position}
        aria-label="Position"
        aria-valuetext={`${formatSeconds(at)} of ${total ?? 'unknown length'}`}
        min={0}
        max={Math.max(1, of)}
        step={0.1}
        value={at}
        disabled={of === 0}
        onPointerUp={(event) => event.currentTarget.blur()} // so that the page's shortcuts work again
        onChange={(event) => {
          if (audio.current) audio.current.currentTime = Number(event.currentTarget.value)
        }}
      />
      <span className={`${text.smaller} ${text.numbers} ${classes.total}`} aria-hidden="true">
        {total}
      </span>
      <fieldset className={classes.speeds}>
        <legend className={text.unseen}>Speed</legend>
        {playbackSpeeds.map((one) => (
          <button key={one} type="button" aria-pressed={one === speed} onClick={() => choose(one)}>
            {one}x
          </button>
        ))}
      </fieldset>
    </div>
  )
}

function formatSeconds(seconds: number): string {
  const whole = Math.floor(seconds)
  const rest = String(whole % 60).padStart(2, '0')
  return whole < 3600
    ? `${Math.floor(whole / 60)}:${rest}`
    : `${Math.floor(whole / 3600)}:${String(Math.floor(whole / 60) % 60).padStart(2, '0')}:${rest}`
}
