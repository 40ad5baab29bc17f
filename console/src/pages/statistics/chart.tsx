// A picture of figures over time: bars on each other, or lines. Pointer and arrow keys choose a time, whose values are written below.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { formatTime, t } from '../../i18n.js';

export interface Series {
  readonly name: string;
  /** Of the tokens `--kind-1` to `--kind-7`, or a tone. */
  readonly colour: 'kind-2' | 'kind-3' | 'kind-4' | 'kind-5' | 'kind-7' | 'bad' | 'kind-1';
  /** One for each time; null where nothing is known. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly shape: 'bars' | 'lines';
  readonly series: readonly Series[];
  /** Beginnings of the buckets, epoch ms. */
  readonly times: readonly number[];
  readonly bucket: 'hour' | 'day';
  readonly format: (value: number) => string;
}

const HEIGHT = 100;

export function Chart({ title, shape, series, times, bucket, format }: ChartProps): JSX.Element {
  const { index, isChosen, ...handlers } = useCursor(times.length);
  const last = times.length - 1;
  const top = topOf(shape, series, times.length);
  const timeAt = (at: number): string => formatTime(times[at] ?? 0, bucket === 'hour' ? HOUR : DAY);
  const values = series.map((one) => `${one.name} ${valueAt(one, index, format)}`).join(', ');
  return (
    <figure class="card chart">
      <figcaption class="row wrap">
        <h2 class="grow">{title}</h2>
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <div class="chart-area">
        <span class="chart-top small faint figures">{format(top)}</span>
        <div
          class="chart-plot"
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={index}
          aria-valuetext={`${timeAt(index)}: ${values}`}
          {...handlers}
        >
          <svg viewBox={`0 0 ${times.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {isChosen && <rect class="chart-chosen" x={index} y={0} width={1} height={HEIGHT} />}
            {shape === 'bars' ? <Bars series={series} top={top} count={times.length} /> : <Lines series={series} top={top} />}
          </svg>
        </div>
        <span class="row small faint">
          <span class="grow">{timeAt(0)}</span>
          <span>{timeAt(last)}</span>
        </span>
      </div>
      <p class="small chart-readout">
        <span class="strong">{timeAt(index)}</span> {values}
      </p>
      <details class="small">
        <summary class="soft">{t('statistics.table')}</summary>
        <DataTable title={title} series={series} times={times} timeAt={timeAt} format={format} />
      </details>
    </figure>
  );
}

interface Cursor extends Required<Pick<JSX.IntrinsicElements['div'], 'onPointerMove' | 'onPointerLeave' | 'onKeyDown'>> {
  /** Of the chosen time; of the last one as long as none is chosen. */
  readonly index: number;
  readonly isChosen: boolean;
}

/** The time that pointer and arrow keys choose, and the handlers of the plot. */
function useCursor(count: number): Cursor {
  const chosen = useSignal<number | undefined>(undefined);
  const last = count - 1;
  const index = Math.min(chosen.value ?? last, last);
  const choose = (at: number): void => {
    chosen.value = Math.max(0, Math.min(last, at));
  };
  return {
    index,
    isChosen: chosen.value !== undefined,
    onPointerMove: (event) => {
      const { left, width } = event.currentTarget.getBoundingClientRect();
      choose(Math.floor(((event.clientX - left) / width) * count));
    },
    onPointerLeave: () => {
      chosen.value = undefined;
    },
    onKeyDown: (event) => {
      const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(to);
    },
  };
}

function valueAt({ values }: Series, at: number, format: ChartProps['format']): string {
  const value = values[at];
  return value === null || value === undefined ? '–' : format(value);
}

function Legend({ series }: Pick<ChartProps, 'series'>): JSX.Element {
  return (
    <ul class="chart-legend small">
      {series.map(({ name, colour }) => (
        <li key={name} class="row">
          <span class={`chart-mark ${colour}`} aria-hidden="true" /> {name}
        </li>
      ))}
    </ul>
  );
}

type DataTableProps = Pick<ChartProps, 'title' | 'series' | 'times' | 'format'> & { readonly timeAt: (at: number) => string };

function DataTable({ title, series, times, timeAt, format }: DataTableProps): JSX.Element {
  return (
    <div class="chart-table scroll" tabIndex={0} role="region" aria-label={`${title}, ${t('statistics.table')}`}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t('common.time')}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" class="figures">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, row) => (
            <tr key={at}>
              <th scope="row">{timeAt(row)}</th>
              {series.map((one) => (
                <td key={one.name} class="figures">
                  {valueAt(one, row, format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const HOUR: Intl.DateTimeFormatOptions = { weekday: 'short', hour: 'numeric', minute: '2-digit' };
const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' };

/** The largest value that the picture has room for: that of all bars on each other, or of a line; 1 when all are 0. */
function topOf(shape: ChartProps['shape'], series: readonly Series[], count: number): number {
  const heights = Array.from({ length: count }, (_, at) => {
    const values = series.map(({ values: all }) => all[at] ?? 0);
    return shape === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  return Math.max(...heights) || 1;
}

function Bars({ series, top, count }: { readonly series: readonly Series[]; readonly top: number; readonly count: number }): JSX.Element {
  return (
    <>
      {Array.from({ length: count }, (_, at) => {
        let below = 0;
        return series.map(({ name, colour, values }) => {
          const height = ((values[at] ?? 0) / top) * HEIGHT;
          below += height;
          return height > 0 && <rect key={`${name} ${at}`} class={colour} x={at + 0.1} y={HEIGHT - below} width={0.8} height={height} />;
        });
      })}
    </>
  );
}

/** A line ends where nothing is known. One value alone is a short one. */
function Lines({ series, top }: { readonly series: readonly Series[]; readonly top: number }): JSX.Element {
  return (
    <>
      {series.map(({ name, colour, values }) => {
        const y = (value: number): number => HEIGHT - (value / top) * HEIGHT;
        const path = values
          .map((value, at) => {
            if (value === null) return '';
            const isFirst = at === 0 || values[at - 1] === null;
            const isLast = at === values.length - 1 || values[at + 1] === null;
            const end = isFirst && isLast ? `H${at + 1}` : '';
            return `${isFirst ? 'M' : 'L'}${isFirst && isLast ? at : at + 0.5} ${y(value)}${end}`;
          })
          .join(' ');
        return <path key={name} class={`chart-line ${colour}`} d={path} />;
      })}
    </>
  );
}
