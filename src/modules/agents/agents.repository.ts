import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import type { CharacterFile } from './character-files.js';
import { AgentRow } from './entities/index.js';

// One statement decides and writes, so that processes which start together on one database agree.
const IMPORT = `INSERT INTO agents (id, name, status, "character", secrets, source_hash, created_at, updated_at)
  VALUES (?, ?, 'active', ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, "character" = excluded."character", secrets = excluded.secrets,
    source_hash = excluded.source_hash, updated_at = excluded.updated_at
  WHERE agents.source_hash IS DISTINCT FROM excluded.source_hash`;

@Injectable()
export class AgentsRepository {
  constructor(
    @InjectRepository(AgentRow) private readonly rows: Repository<AgentRow>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  all(): Promise<AgentRow[]> {
    return this.rows.find();
  }

  /** Creates the agents that are new and updates those whose file changed since its last import. @returns the files that were taken */
  async import(files: readonly CharacterFile[], now: number): Promise<CharacterFile[]> {
    if (files.length === 0) return [];
    const outcomes = await this.unitOfWork.commit(files.map((file) => importStatement(file, now)));
    return files.filter((_, index) => outcomes[index]?.changed === 1);
  }
}

function importStatement({ agentId, character, secrets, hash }: CharacterFile, now: number): Statement {
  const params = [agentId, character.name, JSON.stringify(character), secrets && JSON.stringify(secrets), hash, now, now];
  return { sql: IMPORT, params, counted: true };
}
