import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { toastError } from '../feedback/toast.tsx'
import classes from './Player.module.css'

const playbackSpeeds = [1, 1.5, 2] as const
const playbackSpeedKey = 'leadline.recording-speed'
const readPlaybackSpeed = () =>
  playbackSpeeds.find((speed) => String(speed) === localStorage.getItem(playbackSpeedKey)) ?? 1

/** One recording plays at a time: the next one stops this. */
let playingAudio: HTMLAudioElement | null = null

/** Plays or pauses the recording inside of this element, as a key does. */
export function toggleRecording(element: HTMLElement) {
  const audio = element.querySelector('audio')
  if (!audio) element.querySelector<HTMLButtonElement>('button[data-plays]')?.click()
  else if (audio.paused) void audio.play().catch(() => undefined)
  else audio.pause()
}

/** Moves in the recording inside of this element by so many seconds, as a key does. */
export function seekRecording(element: HTMLElement, seconds: number) {
  const audio = element.querySelector('audio')
  if (audio && Number.isFinite(audio.duration))
    audio.currentTime = Math.min(audio.duration, Math.max(0, audio.currentTime + seconds))
}

/** Stops what is playing: its reader has gone on. */
export const stopRecordings = () => playingAudio?.pause()

type RecordingPlayerProps = {
  /** How long it takes, as the button shows it. */
  length: string | null
  /** Asked whenever it is to be played: an address lives for some minutes only. */
  addressOf: () => Promise<string>
  /** An address that is at hand already: the player is there before it is asked for. */
  source?: string | null
  /** Called when an address at hand begins to play. */
  onPlayed?: () => void
}

/** A call's recording: a button with its length, and once it is asked for, the player in the same height. */
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
      aria-label={`Play the recording, ${length ?? 'unknown length'}`}
      disabled={asking}
      onClick={() => void play()}
    >
      <IconPlayerPlay size={14} aria-hidden="true" />
      {length ?? 'Play'}
    </button>
  )
}

type RecordingAudioProps = {
  source: string
  length: string | null
  /** Plays as soon as it is there. */
  starts: boolean
  onPlayed: (() => void) | undefined
  onStale: () => void
}

function RecordingAudio({ source, length, starts, onPlayed, onStale }: RecordingAudioProps) {
  const audio = useRef<HTMLAudioElement>(null)
  const [speed, setSpeed] = useState<number>(readPlaybackSpeed)
  const [state, setState] = useState({ playing: false, at: 0, of: 0 })
  const [failed, setFailed] = useState(false)
  const wasPlayed = useRef(false)
  useEffect(() => {
    const element = audio.current
    return () => element?.pause() // what is taken off the page would go on for a moment
  }, [])

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
      <p className={classes.failed}>
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
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down what was said. */}
      <audio
        ref={audio}
        controls // a browser draws no player without them; ours stands over it
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
        type="button"
        className={classes.play}
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
        onPointerUp={(event) => event.currentTarget.blur()} // the keys of the page go on
        onChange={(event) => {
          if (audio.current) audio.current.currentTime = Number(event.currentTarget.value)
        }}
      />
      <span className={classes.total} aria-hidden="true">
        {total}
      </span>
      <fieldset className={classes.speeds}>
        <legend>Speed</legend>
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
